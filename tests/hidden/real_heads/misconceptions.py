"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint."""

import numpy as np
from scipy.special import softmax

from autograder.grading.suite import misconception
from solutions.real_heads import head_parameters

# multi_head


@misconception("multi_head", "divides by the root of the model's width",
               hint="The root is that of the width of ONE head's queries. Which axis of Wq tells it?")
def heads_scaled_by_width(X, Wq, Wk, Wv, Wo, causal=False):
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(X.shape[1]), axis=-1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


@misconception("multi_head", "lets columns sum to one",
               hint="Whose shares sum to one: those of a reader, or those of a source?")
def heads_along_columns(X, Wq, Wk, Wv, Wo, causal=False):
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]), axis=1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo


@misconception("multi_head", "shuffles the heads' mixtures together",
               hint="Head 0's columns stand together. What stands beside its first column in yours?")
def heads_interleaved(X, Wq, Wk, Wv, Wo, causal=False):
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]), axis=-1)
    return A, (A @ (X @ Wv)).transpose(1, 2, 0).reshape(len(X), -1) @ Wo


@misconception("multi_head", "adds X to the update",
               hint="The residual path is a matter of its own: what does multi_head return?")
def heads_with_residual(X, Wq, Wk, Wv, Wo, causal=False):
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(Wq.shape[2]), axis=-1)
    update = np.hstack(list(A @ (X @ Wv))) @ Wo
    return A, update + X[:, :update.shape[1]]


@misconception("multi_head", "writes the scaled rows into X",
               hint="Look at your argument after the call. Which line writes into it?")
def heads_in_place(X, Wq, Wk, Wv, Wo, causal=False):
    V = X @ Wv
    X /= Wq.shape[2] ** 0.25
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2), axis=-1)
    return A, np.hstack(list(A @ V)) @ Wo


# head_parameters; `right` is bound where a mistake is defined, before it takes the name of the task


@misconception("head_parameters", "leaves the matrices as the file holds them",
               hint="y = x weightᵀ + bias: is a column of weight an input or an output?")
def parameters_not_transposed(state, layer, right=head_parameters):
    return right({name: tensor.T if tensor.dim() == 2 else tensor for name, tensor in state.items()}, layer)


@misconception("head_parameters", "forgets the transpose of the output projection",
               hint="Wo stands behind the mixtures. On which side of x does the file's weight stand?")
def parameters_output_not_transposed(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    return *stacks, Wo.T, bo


@misconception("head_parameters", "drops the biases of queries, keys and values",
               hint="With a column of ones behind X a matrix needs one row more. What belongs there?")
def parameters_without_biases(state, layer, right=head_parameters):
    Wq, Wk, Wv, Wo, bo = right(state, layer)
    return Wq[:, :-1], Wk[:, :-1], Wv[:, :-1], Wo, bo


@misconception("head_parameters", "sets the biases to zero",
               hint="The last row is there. Which numbers of the file belong into it?")
def parameters_with_zero_biases(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    for stack in stacks:
        stack[:, -1] = 0
    return *stacks, Wo, bo


@misconception("head_parameters", "puts the biases into the first row",
               hint="The column of ones stands behind X. Which row of the matrix does it meet?")
def parameters_bias_first(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    return *(np.roll(stack, 1, axis=1) for stack in stacks), Wo, bo


@misconception("head_parameters", "leaves out the bias of the keys",
               hint="It may change no weight, but it is part of the model: what is the last row of Wk?")
def parameters_without_key_bias(state, layer, right=head_parameters):
    Wq, Wk, Wv, Wo, bo = right(state, layer)
    Wk[:, -1] = 0
    return Wq, Wk, Wv, Wo, bo


@misconception("head_parameters", "gives every head the first head's share of the bias",
               hint="Each output has a bias of its own. Which outputs are those of head 1?")
def parameters_one_bias_for_all(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    for stack in stacks:
        stack[:, -1] = stack[0, -1]
    return *stacks, Wo, bo


@misconception("head_parameters", "deals the outputs out in turn, like cards",
               hint="Which outputs are head 0's: the first d/12 of them, or every twelfth?")
def parameters_interleaved(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    wide = [np.hstack(list(stack)) for stack in stacks]
    return *(matrix.reshape(len(matrix), -1, 12).transpose(2, 0, 1) for matrix in wide), Wo, bo


@misconception("head_parameters", "reshapes without exchanging the axes",
               hint="A reshape keeps the reading order, row by row. What does head 0 get of row 1?")
def parameters_by_reshape_alone(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    return *(np.hstack(list(stack)).reshape(stack.shape) for stack in stacks), Wo, bo


@misconception("head_parameters", "cuts the inputs apart instead of the outputs",
               hint="Every head reads the whole row x. What of the weight do the heads share out?")
def parameters_inputs_cut(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    cut = []
    for stack in stacks:
        weight = np.hstack(list(stack))[:-1].T
        heads = weight.reshape(len(weight), 12, -1).swapaxes(0, 1)
        cut.append(np.concatenate([heads, stack[:, -1:]], axis=1))
    return *cut, Wo, bo


@misconception("head_parameters", "exchanges queries and keys",
               hint="Which comes first in what you return, what a row asks or what it is found by?")
def parameters_exchanged(state, layer, right=head_parameters):
    Wq, Wk, Wv, Wo, bo = right(state, layer)
    return Wk, Wq, Wv, Wo, bo


@misconception("head_parameters", "takes the values for the keys, and the keys for the values",
               hint="Compare the names in the file with your order: query, key, value.")
def parameters_values_as_keys(state, layer, right=head_parameters):
    Wq, Wk, Wv, Wo, bo = right(state, layer)
    return Wq, Wv, Wk, Wo, bo


@misconception("head_parameters", "takes the output projection of the FFN",
               hint="Two names in a layer end in output.dense. Which of them belongs to the attention?")
def parameters_of_the_ffn(state, layer, right=head_parameters):
    name = f"encoder.layer.{layer}.output.dense"
    return *right(state, layer)[:3], state[f"{name}.weight"].numpy().T, state[f"{name}.bias"].numpy()


@misconception("head_parameters", "returns the bias of the values as bo",
               hint="bo is added behind Wo. Whose bias is it?")
def parameters_value_bias_as_bo(state, layer, right=head_parameters):
    bias = state[f"encoder.layer.{layer}.attention.self.value.bias"].numpy()
    return *right(state, layer)[:4], bias


@misconception("head_parameters", "takes layer 0 whatever is asked for",
               hint="Ask for two layers and compare. Where does `layer` enter?")
def parameters_of_layer_0(state, layer, right=head_parameters):
    name = min(state, key=lambda name: ("attention.self" not in name, len(name), name))  # of the lowest layer
    return right(state, int(name.split(".")[2]))


@misconception("head_parameters", "takes the first name that begins alike",
               hint='"encoder.layer.10" begins like "encoder.layer.1". What has to come behind the number?')
def parameters_by_beginning(state, layer, right=head_parameters):
    start, found = f"encoder.layer.{layer}", {}
    for name in sorted(state, reverse=True):
        if name.startswith(start) and ".attention." in name:
            found.setdefault(f"{start}.attention.{name.split('.attention.')[1]}", state[name])
    return right(found, layer)


@misconception("head_parameters", "divides the queries by √d_k, which multi_head does already",
               hint="How often is a score divided by the root, all in all?")
def parameters_scaled(state, layer, right=head_parameters):
    Wq, *others = right(state, layer)
    return Wq / np.sqrt(Wq.shape[2]), *others


@misconception("head_parameters", "believes that every model is 384 wide",
               hint="d is not always 384. From what can you read it?")
def parameters_384(state, layer, right=head_parameters):
    *stacks, Wo, bo = right(state, layer)
    return *(np.hstack(list(stack)).reshape(385, 12, 32).swapaxes(0, 1) for stack in stacks), Wo, bo


@misconception("head_parameters", "transposes the tensors of the state in place",
               hint="Look at the state after the call. Which line changes it, and makes nothing new?")
def parameters_in_place(state, layer, right=head_parameters):
    result = right(state, layer)
    for part in ("self.query", "self.key", "self.value", "output.dense"):
        state[f"encoder.layer.{layer}.attention.{part}.weight"].t_()
    return result


@misconception("head_parameters", "remembers a layer from call to call",
               hint="What does your function keep between two calls, and of which state was it?")
def parameters_remembered(state, layer, right=head_parameters, seen={}):
    if layer not in seen:
        seen[layer] = right(state, layer)
    return seen[layer]

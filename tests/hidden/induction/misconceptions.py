"""Wrong answers that students of this lesson give: each is known by a name and answered with a hint.

`right=repeat_loss` keeps hold of the right answer, where the mistake is to do something else with it.
"""

import contextlib
import copy

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from autograder.grading.suite import essence, misconception
from solutions.induction import (
    CausalHeads,
    ablated,
    ablation_table,
    induction_score,
    previous_token_score,
    repeat_loss,
    repeated_tokens,
)

ENDS = "Draw a thousand texts with periods from 2 to 4 and count them. torch.randint leaves one end out."
VOCAB = "With a vocabulary of 3 there are the tokens 0, 1 and 2. Which of them do you draw, and how often?"
CHANCE = "Who draws the numbers? Give two generators in the same state, then one generator twice."
ROOT = "A score adds up one product for each entry of a head's query. The root of which number is taken?"
SIDE_BY_SIDE = "Which numbers of a row belong to head 1? Follow entry w of q(x) through your reshapes."
FIRST_PLACE = "Write down for a text of period 3 and six tokens which places count, and compare."
ONE_MEAN = "Two texts, one with nine places that count, one with one: how much does each place weigh?"
ITS_OWN = "Each text has its own period. What does your code do where two texts of a batch differ?"
BEFORE = "Which entry of A says how much place t reads place t − 1? Try a pattern made by hand."
SCORES = "A score for each head is asked for. Over which axes do you take the mean, and over which not?"
AFTER = "Write out a text of period 3. Which place came after the earlier copy of the token at place 4?"
COPIES = "With a period of 2, place 5 stands on a token that came at 3 and 1. Which places came after?"
WHOLE = "Compare what the model says before the block and after it. What is left of the removal?"
OWN_NUMBERS = "o reads the mixtures side by side. Which columns of its weight are this head's?"
INCREASE = "A head that helps: is the loss without it larger or smaller, and by how much? That is the entry."

# repeated_tokens


@essence("repeated_tokens")
def with_kinds(result):
    """Tokens and periods, and whether they are whole numbers."""
    tokens, periods = result
    return tokens, periods, [str(part.dtype).strip("0123456789") for part in result]


@misconception("repeated_tokens", "gives all texts of a batch the same period",
               hint="Look at the periods of a batch of ten. How many numbers did you draw for them?")
def one_period(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period + 1, (1,), generator=generator).repeat(batch)
    blocks = torch.randint(vocab, (batch, length), generator=generator)
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods


@misconception("repeated_tokens", "never draws the largest period", hint=ENDS)
def short_periods(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period, (batch,), generator=generator)
    blocks = torch.randint(vocab, (batch, length), generator=generator)
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods


@misconception("repeated_tokens", "draws periods from 1 upward", hint=ENDS)
def periods_from_one(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    return right(batch, length, vocab, 1, max_period, generator)


@misconception("repeated_tokens", "repeats the same block in every text",
               hint="Print three texts. How many blocks did you draw for them?")
def one_block(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period + 1, (batch,), generator=generator)
    blocks = torch.randint(vocab, (1, length), generator=generator).repeat(batch, 1)
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods


@misconception("repeated_tokens", "draws blocks without replacement",
               hint="May a block hold the same token twice? What if it is longer than the vocabulary?")
def no_token_twice(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period + 1, (batch,), generator=generator)
    blocks = torch.stack([torch.randperm(vocab, generator=generator) for _ in range(batch)])
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods


@misconception("repeated_tokens", "never draws the last token of the vocabulary", hint=VOCAB)
def last_token_missing(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    return right(batch, length, vocab - 1, min_period, max_period, generator)


@misconception("repeated_tokens", "counts tokens from 1", hint=VOCAB)
def tokens_from_one(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    tokens, periods = right(batch, length, vocab, min_period, max_period, generator)
    return tokens + 1, periods


@misconception("repeated_tokens", "draws from the global generator", hint=CHANCE)
def global_chance(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period + 1, (batch,))
    blocks = torch.randint(vocab, (batch, length))
    return blocks.gather(1, torch.arange(length) % periods[:, None]), periods


@misconception("repeated_tokens", "starts from the generator's seed again in each call", hint=CHANCE)
def seeded_again(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    again = torch.Generator().manual_seed(generator.initial_seed())
    return right(batch, length, vocab, min_period, max_period, again)


@misconception("repeated_tokens", "repeats the block once only",
               hint="A period of 2 and a text of 9: what stands at places 4 to 8?")
def repeated_once(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    tokens, periods = right(batch, length, vocab, min_period, max_period, generator)
    fresh = torch.randint(vocab, tokens.shape, generator=generator)
    return torch.where(torch.arange(length) < 2 * periods[:, None], tokens, fresh), periods


@misconception("repeated_tokens", "repeats after the largest period, whatever the text's own",
               hint="Which number do you take the remainder by, and is it the one you return?")
def repeated_after_the_largest(batch, length, vocab, min_period, max_period, generator):
    periods = torch.randint(min_period, max_period + 1, (batch,), generator=generator)
    blocks = torch.randint(vocab, (batch, max_period), generator=generator)
    return blocks[:, torch.arange(length) % max_period], periods


@misconception("repeated_tokens", "returns the periods first",
               hint="Both parts are right. In which order does the docstring ask for them?")
def periods_first(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    return right(batch, length, vocab, min_period, max_period, generator)[::-1]


@misconception("repeated_tokens", "returns floats",
               hint="Tokens choose rows of a table. What kind of tensor can do that?")
def float_tokens(batch, length, vocab, min_period, max_period, generator, right=repeated_tokens):
    tokens, periods = right(batch, length, vocab, min_period, max_period, generator)
    return tokens.float(), periods


# CausalHeads


@misconception("CausalHeads", "reads the future",
               hint="Change the last token of a text: which rows of the update may move?")
class WithoutMask(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        A = (q @ k.transpose(2, 3) / (d / self.heads) ** 0.5).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "takes the root of the whole width instead of a head's", hint=ROOT)
class RootOfAll(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / d**0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "leaves out the division by the root of the width", hint=ROOT)
class Unscaled(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        A = (q @ k.transpose(2, 3)).masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "takes the root of the number of heads", hint=ROOT)
class RootOfHeads(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / self.heads**0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "cuts the rows into heads without regard to the places", hint=SIDE_BY_SIDE)
class CutAcrossPlaces(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, self.heads, T, -1) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "joins the heads without bringing the places back to the front",
               hint=SIDE_BY_SIDE)
class JoinedAcrossPlaces(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).reshape(B, T, d)), A


@misconception("CausalHeads", "deals the entries out to the heads in turn", hint=SIDE_BY_SIDE)
class DealtOut(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        maps = (self.q, self.k, self.v)
        q, k, v = (part(x).view(B, T, -1, self.heads).permute(0, 3, 1, 2) for part in maps)
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).permute(0, 2, 3, 1).reshape(B, T, d)), A


@misconception("CausalHeads", "masks after softmax and does not share out what is taken away",
               hint="Add up the first row of your pattern. What is left of the shares that are masked?")
class MaskedAfter(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        A = (q @ k.transpose(2, 3) / (d / self.heads) ** 0.5).softmax(dim=-1)
        A = A.masked_fill(self.future[:T, :T], 0)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "puts zeros in place of forbidden scores",
               hint="What does softmax make of a score of 0? Which score gets a share of exactly 0?")
class ZeroScores(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], 0).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "lowers forbidden scores by a fixed amount that large scores make up for",
               hint="Make the scores ten times larger. Is the share of the future still exactly 0?")
class SmallPenalty(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = (scores - 50.0 * self.future[:T, :T]).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "shares out each source among the readers",
               hint="Which numbers of a pattern have to add up to 1: what a place reads, or how it is read?")
class WrongAxis(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-2)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "returns the patterns first",
               hint="Both parts are right. In which order does the docstring ask for them?")
class Exchanged(CausalHeads):
    def forward(self, x):
        return super().forward(x)[::-1]


@misconception("CausalHeads", "adds the rows themselves to the update",
               hint="Who adds the update to x, the layer or the model? Set o to zero and look.")
class WithResidual(CausalHeads):
    def forward(self, x):
        update, A = super().forward(x)
        return x + update, A


@misconception("CausalHeads", "does not use o",
               hint="What becomes of the mixtures after they stand side by side?")
class WithoutO(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return (A @ v).transpose(1, 2).reshape(B, T, d), A


@misconception("CausalHeads", "gives its maps a bias",
               hint="Look at the parameters of nn.Linear. Which may it not have?")
class WithBias(CausalHeads):
    def __init__(self, d, heads, length):
        super().__init__(d, heads, length)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))


@misconception("CausalHeads", "returns the mean of all heads' patterns",
               hint="Four heads read four different things. What is the shape of A in the docstring?")
class MeanPattern(CausalHeads):
    def forward(self, x):
        update, A = super().forward(x)
        return update, A.mean(dim=1)


@misconception("CausalHeads", "works for texts of the full length only",
               hint="Give it a text of two tokens. What shape has your mask?")
class FullLengthOnly(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future, -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "cuts the patterns off from training",
               hint="Call backward on the update. Do q and k get a gradient?")
class Detached(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1).detach()
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "takes rows of zeros for padding that may not be read",
               hint="A row of zeros is a row like any other. What does it score, and what share has it?")
class ZerosArePadding(CausalHeads):
    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (part(x).view(B, T, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / (d / self.heads) ** 0.5
        scores = scores.masked_fill(scores == 0, -1e9)
        A = scores.masked_fill(self.future[:T, :T], -torch.inf).softmax(dim=-1)
        return self.o((A @ v).transpose(1, 2).reshape(B, T, d)), A


@misconception("CausalHeads", "lets the texts of a batch read each other",
               hint="Give it a text alone and in a batch. Why do the results differ?")
class TextsMixed(CausalHeads):
    def forward(self, x):
        update, A = super().forward(x.mean(dim=0, keepdim=True).expand_as(x))
        return update, A


@misconception("CausalHeads", "changes the rows it was given",
               hint="Look at x after the call. Which line writes into it instead of making a new tensor?")
class InPlace(CausalHeads):
    def forward(self, x):
        update, A = super().forward(x.clone())
        if not x.requires_grad and x.is_leaf:
            x += update.detach()
        return update, A


# repeat_loss


@misconception("repeat_loss", "counts every place", hint=FIRST_PLACE)
def loss_everywhere(logits, tokens, periods):
    return cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@misconception("repeat_loss", "starts one place late", hint=FIRST_PLACE)
def loss_late(logits, tokens, periods, right=repeat_loss):
    return right(logits, tokens, periods + 1)


@misconception("repeat_loss", "starts one place early, where no one can know", hint=FIRST_PLACE)
def loss_early(logits, tokens, periods, right=repeat_loss):
    return right(logits, tokens, periods - 1)


@misconception("repeat_loss", "compares each place with its own token",
               hint="The model has seen the token at t. Which token are the logits at t to predict?")
def loss_unshifted(logits, tokens, periods):
    counted = torch.arange(tokens.shape[1] - 1) >= periods[:, None]
    return cross_entropy(logits[:, :-1][counted], tokens[:, :-1][counted])


@misconception("repeat_loss", "lets a place predict the token before it",
               hint="The model has seen the token at t − 1. Which token are the logits at t to predict?")
def loss_backward(logits, tokens, periods):
    counted = torch.arange(1, tokens.shape[1]) >= periods[:, None]
    return cross_entropy(logits[:, 1:][counted], tokens[:, :-1][counted])


@misconception("repeat_loss", "lets the last place predict the first token",
               hint="Which token comes after the last one? torch.roll has an answer, the text has none.")
def loss_around(logits, tokens, periods):
    counted = torch.arange(tokens.shape[1]) >= periods[:, None]
    return cross_entropy(logits[counted], tokens.roll(-1, 1)[counted])


@misconception("repeat_loss", "adds up instead of taking the mean",
               hint="Twice as many texts: is the loss to be twice as large?")
def loss_sum(logits, tokens, periods):
    counted = torch.arange(tokens.shape[1] - 1) >= periods[:, None]
    return cross_entropy(logits[:, :-1][counted], tokens[:, 1:][counted], reduction="sum")


@misconception("repeat_loss", "takes the mean of the texts' means", hint=ONE_MEAN)
def loss_of_means(logits, tokens, periods, right=repeat_loss):
    fit = [i for i in range(len(tokens)) if periods[i] < tokens.shape[1] - 1]
    return torch.stack([right(logits[[i]], tokens[[i]], periods[[i]]) for i in fit]).mean()


@misconception("repeat_loss", "divides by the number of all places", hint=ONE_MEAN)
def loss_per_place(logits, tokens, periods):
    counted = torch.arange(tokens.shape[1] - 1) >= periods[:, None]
    each = cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return (each * counted).mean()


@misconception("repeat_loss", "applies softmax before cross-entropy",
               hint="What does cross_entropy expect, logits or probabilities? Try logits that are certain.")
def loss_softmax_twice(logits, tokens, periods, right=repeat_loss):
    return right(logits.softmax(dim=-1), tokens, periods)


@misconception("repeat_loss", "uses the first text's period for all", hint=ITS_OWN)
def loss_first_period(logits, tokens, periods, right=repeat_loss):
    return right(logits, tokens, periods[:1].expand(len(periods)))


@misconception("repeat_loss", "uses the largest period for all", hint=ITS_OWN)
def loss_largest_period(logits, tokens, periods, right=repeat_loss):
    return right(logits, tokens, periods.max().expand(len(periods)))


@misconception("repeat_loss", "returns a plain number",
               hint="Call backward on what you return. Where did the way back to the logits end?")
def loss_item(logits, tokens, periods, right=repeat_loss):
    return right(logits, tokens, periods).item()


@misconception("repeat_loss", "fails where a text has no place that counts",
               hint="Six tokens with a period of 5: how many of its places count, and what is their mean?")
def loss_nan(logits, tokens, periods):
    total, count = 0.0, 0.0
    for rows, text, period in zip(logits, tokens, periods):
        places = len(text) - 1 - period
        total = total + cross_entropy(rows[period:-1], text[period + 1 :]) * places
        count = count + places
    return total / count


@misconception("repeat_loss", "takes exponentials of the logits as they are",
               hint="Try logits near 1000. Only differences count: which torch function sees to that?")
def loss_unshifted_exponentials(logits, tokens, periods):
    counted = torch.arange(tokens.shape[1] - 1) >= periods[:, None]
    raw = logits[:, :-1][counted].exp()
    return -(raw / raw.sum(dim=-1, keepdim=True)).gather(1, tokens[:, 1:][counted][:, None]).log().mean()


@misconception("repeat_loss", "writes into the logits",
               hint="Look at the logits after the call. Which line changes them?")
def loss_in_place(logits, tokens, periods, right=repeat_loss):
    loss = right(logits.clone(), tokens, periods)
    if not logits.requires_grad:
        logits[:, -1] = 0
    return loss


# previous_token_score


@misconception("previous_token_score", "measures how much each place reads itself", hint=BEFORE)
def previous_itself(A):
    return A.diagonal(0, dim1=2, dim2=3).mean(dim=(0, 2))


@misconception("previous_token_score", "measures how much each place is read by the one before", hint=BEFORE)
def previous_next(A):
    return A.diagonal(1, dim1=2, dim2=3).mean(dim=(0, 2))


@misconception("previous_token_score", "measures how much the place two back is read", hint=BEFORE)
def previous_two_back(A):
    return A.diagonal(-2, dim1=2, dim2=3).mean(dim=(0, 2))


@misconception("previous_token_score", "counts the first place as one that reads nothing before it",
               hint="Place 0 has none before it. By how many places do you divide?")
def previous_over_all(A):
    return A.diagonal(-1, dim1=2, dim2=3).sum(dim=2).mean(dim=0) / A.shape[-1]


@misconception("previous_token_score", "takes the mean over heads, too", hint=SCORES)
def previous_one_number(A):
    return A.diagonal(-1, dim1=2, dim2=3).mean()


@misconception("previous_token_score", "gives each text a score of its own", hint=SCORES)
def previous_of_texts(A):
    return A.diagonal(-1, dim1=2, dim2=3).mean(dim=2)


@misconception("previous_token_score", "looks at the first text only", hint=SCORES)
def previous_first_text(A):
    return A[0].diagonal(-1, dim1=1, dim2=2).mean(dim=1)


@misconception("previous_token_score", "adds up instead of taking the mean",
               hint="A head that reads nothing but the token before has score 1, however long the text.")
def previous_sum(A):
    return A.diagonal(-1, dim1=2, dim2=3).sum(dim=2).mean(dim=0)


@misconception("previous_token_score", "counts how often the token before is read most",
               hint="A share of .6 and one of .9: is it all the same? The mean of the shares is asked for.")
def previous_hits(A):
    hits = A[:, :, 1:].argmax(dim=3) == torch.arange(A.shape[-1] - 1)
    return hits.float().mean(dim=(0, 2))


@misconception("previous_token_score", "writes into the patterns",
               hint="Look at A after the call. Which line changes it?")
def previous_in_place(A, right=previous_token_score):
    score = right(A)
    A[:, :, 0] = 0
    return score


@misconception("previous_token_score", "expects 32-bit floats",
               hint="Which dtype have your own tensors, and which has A?")
def previous_32_bits(A):
    T = A.shape[-1]
    return torch.einsum("bhts,ts->h", A, torch.eye(T).roll(-1, 1).tril(-1)) / (len(A) * (T - 1))


# induction_score


@misconception("induction_score", "measures how much the earlier copy itself is read", hint=AFTER)
def induction_same_token(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t).expand(len(periods), -1, -1), periods[:, None, None]
    shares = (A * ((back >= period) & (back % period == 0))[:, None]).sum(dim=-1)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@misconception("induction_score", "measures how much the token before the earlier copy is read", hint=AFTER)
def induction_before(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t - 1).expand(len(periods), -1, -1), periods[:, None, None]
    shares = (A * ((back >= period) & (back % period == 0))[:, None]).sum(dim=-1)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@misconception("induction_score", "looks at the latest copy only", hint=COPIES)
def induction_latest(A, periods):
    t = torch.arange(A.shape[-1])
    latest = t[:, None] - t + 1 == periods[:, None, None]
    shares = (A * latest[:, None]).sum(dim=-1)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@misconception("induction_score", "takes the mean over the copies instead of the sum", hint=COPIES)
def induction_mean_of_copies(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t + 1).expand(len(periods), -1, -1), periods[:, None, None]
    after = ((back >= period) & (back % period == 0))[:, None]
    shares = (A * after).sum(dim=-1) / after.sum(dim=-1).clamp(min=1)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@misconception("induction_score", "leaves place 0 out",
               hint="With a period of 2, what came after place 3's copies? Place 0 counts like any other.")
def induction_without_first(A, periods, right=induction_score):
    A = A.clone()
    A[..., 0] = 0
    return right(A, periods)


@misconception("induction_score", "takes the mean over the first block, too",
               hint="Within the first block there is no earlier copy. By how many places do you divide?")
def induction_over_all(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t + 1).expand(len(periods), -1, -1), periods[:, None, None]
    return (A * ((back >= period) & (back % period == 0))[:, None]).sum(dim=-1).mean(dim=(0, 2))


@misconception("induction_score", "starts one place late", hint=FIRST_PLACE)
def induction_late(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t + 1).expand(len(periods), -1, -1), periods[:, None, None]
    shares = (A * ((back >= period) & (back % period == 0))[:, None]).sum(dim=-1)
    return shares.transpose(1, 2)[t > periods[:, None]].mean(dim=0)


@misconception("induction_score", "leaves the last place out",
               hint="The last place predicts nothing that is there, but it reads. Is it to be left out?")
def induction_without_last(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t + 1).expand(len(periods), -1, -1), periods[:, None, None]
    shares = (A * ((back >= period) & (back % period == 0))[:, None]).sum(dim=-1)
    counted = (t >= periods[:, None]) & (t < len(t) - 1)
    return shares.transpose(1, 2)[counted].mean(dim=0)


@misconception("induction_score", "takes the mean of the texts' means", hint=ONE_MEAN)
def induction_of_means(A, periods, right=induction_score):
    fit = [i for i in range(len(A)) if periods[i] < A.shape[-1]]
    return torch.stack([right(A[[i]], periods[[i]]) for i in fit]).mean(dim=0)


@misconception("induction_score", "uses the first text's period for all", hint=ITS_OWN)
def induction_first_period(A, periods, right=induction_score):
    return right(A, periods[:1].expand(len(periods)))


@misconception("induction_score", "fails where a text is shorter than its period",
               hint="Six tokens with a period of 8: how many of its places count, and what is their mean?")
def induction_nan(A, periods, right=induction_score):
    places = A.shape[-1] - periods
    means = torch.stack([right(A[[i]], periods[[i]]) for i in range(len(A))])
    return (means * places[:, None]).sum(dim=0) / places.sum()


@misconception("induction_score", "takes the mean over heads, too", hint=SCORES)
def induction_one_number(A, periods, right=induction_score):
    return right(A, periods).mean()


@misconception("induction_score", "counts how often what came after is read most",
               hint="A share of .6 and one of .9: is it all the same? The mean of the shares is asked for.")
def induction_hits(A, periods):
    t = torch.arange(A.shape[-1])
    back, period = (t[:, None] - t + 1).expand(len(periods), -1, -1), periods[:, None, None]
    after = ((back >= period) & (back % period == 0))[:, None].expand(A.shape)
    hits = after.gather(3, A.argmax(dim=3, keepdim=True))[..., 0].float()
    return hits.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@misconception("induction_score", "takes a period of 1 for no repetition at all",
               hint="With a period of 1 a place holds a copy of the one before. What came after that one?")
def induction_not_itself(A, periods, right=induction_score):
    return right(A.tril(-1), periods)


@misconception("induction_score", "counts what stands ahead, too",
               hint="Try a pattern that is not causal. Which k of 1, 2, ... leads to a place after t?")
def induction_ahead(A, periods):
    t = torch.arange(A.shape[-1])
    after = (t[:, None] - t + 1) % periods[:, None, None] == 0
    shares = (A * after[:, None]).sum(dim=-1)
    return shares.transpose(1, 2)[t >= periods[:, None]].mean(dim=0)


@misconception("induction_score", "writes into the patterns",
               hint="Look at A after the call. Which line changes it?")
def induction_in_place(A, periods, right=induction_score):
    score = right(A, periods)
    A[:, :, 0] = 0
    return score


# ablated: each gives a context, made without a decorator


@misconception("ablated", "does not put the head back", hint=WHOLE)
def never_back(model, layer, head):
    o = model.layers[layer].o
    w = o.in_features // model.heads
    with torch.no_grad():
        o.weight[:, head * w : (head + 1) * w] = 0
    return contextlib.nullcontext(model)


@misconception("ablated", "does not put the head back after an error",
               hint="Raise an error inside the block. Which statement is run whatever happens?")
def not_after_an_error(model, layer, head):
    def context():
        o = model.layers[layer].o
        w = o.in_features // model.heads
        before = o.weight.detach().clone()
        with torch.no_grad():
            o.weight[:, head * w : (head + 1) * w] = 0
        yield model
        with torch.no_grad():
            o.weight.copy_(before)

    return contextlib.contextmanager(context)()


@misconception("ablated", "swallows errors",
               hint="An error inside the block must get out of it. Who catches it, and what then?")
def swallows_errors(model, layer, head, right=ablated):
    def context():
        with right(model, layer, head):
            try:
                yield model
            except Exception:
                pass

    return contextlib.contextmanager(context)()


@misconception("ablated", "silences rows of o instead of columns", hint=OWN_NUMBERS)
def rows_of_o(model, layer, head):
    def context():
        o = model.layers[layer].o
        w = o.in_features // model.heads
        before = o.weight.detach().clone()
        with torch.no_grad():
            o.weight[head * w : (head + 1) * w] = 0
        try:
            yield model
        finally:
            with torch.no_grad():
                o.weight.copy_(before)

    return contextlib.contextmanager(context)()


@misconception("ablated", "silences the whole layer", hint=OWN_NUMBERS)
def whole_layer(model, layer, head, right=ablated):
    def context():
        with contextlib.ExitStack() as stack:
            for each in range(model.heads):
                stack.enter_context(right(model, layer, each))
            yield model

    return contextlib.contextmanager(context)()


@misconception("ablated", "silences all heads but this one",
               hint="Which head is to be zero inside the block, the one that is named or the others?")
def all_but_this(model, layer, head, right=ablated):
    def context():
        with contextlib.ExitStack() as stack:
            for each in range(model.heads):
                if model.heads == 1 or each != head:
                    stack.enter_context(right(model, layer, each))
            yield model

    return contextlib.contextmanager(context)()


@misconception("ablated", "silences this head in every layer", hint=OWN_NUMBERS)
def every_layer(model, layer, head, right=ablated):
    def context():
        with contextlib.ExitStack() as stack:
            for each in range(len(model.layers)):
                stack.enter_context(right(model, each, head))
            yield model

    return contextlib.contextmanager(context)()


@misconception("ablated", "counts heads from 1",
               hint="Head 0 is the first. Which columns do you silence for it?")
def heads_from_one(model, layer, head, right=ablated):
    return right(model, layer, (head - 1) % model.heads)


@misconception("ablated", "counts layers from 1", hint="Layer 0 is the first. Which one do you get for it?")
def layers_from_one(model, layer, head, right=ablated):
    return right(model, layer - 1 + len(model.layers) * (layer == 0), head)


@misconception("ablated", "takes every h-th column instead of a block of columns", hint=OWN_NUMBERS)
def every_hth(model, layer, head):
    def silence(_, inputs):
        mixtures = inputs[0].clone()
        mixtures[..., head :: model.heads] = 0
        return (mixtures,)

    def context():
        hook = model.layers[layer].o.register_forward_pre_hook(silence)
        try:
            yield model
        finally:
            hook.remove()

    return contextlib.contextmanager(context)()


@misconception("ablated", "takes a head's width from another number than the heads", hint=OWN_NUMBERS)
def width_from_layers(model, layer, head):
    o = model.layers[layer].o
    w = max(1, o.in_features // max(model.heads, len(model.layers)))

    def silence(_, inputs):
        mixtures = inputs[0].clone()
        mixtures[..., head * w : (head + 1) * w] = 0
        return (mixtures,)

    def context():
        hook = o.register_forward_pre_hook(silence)
        try:
            yield model
        finally:
            hook.remove()

    return contextlib.contextmanager(context)()


@misconception("ablated", "leaves the first text of a batch as it is",
               hint="Which axis do you index? Texts, places, and then the numbers of the heads.")
def not_in_the_first_text(model, layer, head):
    o = model.layers[layer].o
    w = o.in_features // model.heads

    def silence(_, inputs):
        mixtures = inputs[0].clone()
        mixtures[1:, :, head * w : (head + 1) * w] = 0
        return (mixtures,)

    def context():
        hook = o.register_forward_pre_hook(silence)
        try:
            yield model
        finally:
            hook.remove()

    return contextlib.contextmanager(context)()


@misconception("ablated", "puts everything back when an inner block ends",
               hint="Two blocks, one inside the other: whose removal does the end of the inner one undo?")
def all_back(model, layer, head):
    o = model.layers[layer].o
    w = o.in_features // model.heads

    def silence(_, inputs):
        mixtures = inputs[0].clone()
        mixtures[..., head * w : (head + 1) * w] = 0
        return (mixtures,)

    def context():
        o.register_forward_pre_hook(silence)
        try:
            yield model
        finally:
            for each in model.layers:
                each.o._forward_pre_hooks.clear()

    return contextlib.contextmanager(context)()


@misconception("ablated", "works on a copy of the model",
               hint="Inside the block the caller calls the model it has. Is that the one you changed?")
def on_a_copy(model, layer, head, right=ablated):
    return right(copy.deepcopy(model), layer, head)


@misconception("ablated", "removes nothing",
               hint="Compare what the model says inside the block and outside. Where does your change act?")
def nothing_removed(model, layer, head):
    return contextlib.nullcontext(model)


@misconception("ablated", "removes the head in the first call only",
               hint="Call the model twice inside the block. Is the head still out the second time?")
def first_call_only(model, layer, head):
    o = model.layers[layer].o
    w = o.in_features // model.heads

    def context():
        def silence(_, inputs):
            mixtures = inputs[0].clone()
            mixtures[..., head * w : (head + 1) * w] = 0
            hook.remove()
            return (mixtures,)

        hook = o.register_forward_pre_hook(silence)
        try:
            yield model
        finally:
            hook.remove()

    return contextlib.contextmanager(context)()


@misconception("ablated", "leaves the weights unable to learn",
               hint="Look at requires_grad of the weights after the block.")
def frozen_after(model, layer, head, right=ablated):
    model.layers[layer].o.weight.requires_grad_(False)
    return right(model, layer, head)


@misconception("ablated", "silences the mixtures of every model at once",
               hint="Two models: a head of one is out. What does the other say meanwhile?")
def every_model(model, layer, head):
    o = model.layers[layer].o
    w = o.in_features // model.heads

    def silence(module, inputs):
        own = [each.o for each in model.layers]
        is_other = isinstance(module, nn.Linear) and not any(module is each for each in [*own, model.out])
        if module is o or is_other and module.weight.shape == o.weight.shape:
            mixtures = inputs[0].clone()
            mixtures[..., head * w : (head + 1) * w] = 0
            return (mixtures,)
        return None

    def context():
        hook = nn.modules.module.register_module_forward_pre_hook(silence)
        try:
            yield model
        finally:
            hook.remove()

    return contextlib.contextmanager(context)()


@misconception("ablated", "zeroes the patterns, too",
               hint="What the head reads stays as it is; only what it hands over is gone.")
def patterns_zeroed(model, layer, head, right=ablated):
    def silence(_, __, result):
        A = result[1].clone()
        A[:, head] = 0
        return result[0], A

    def context():
        with right(model, layer, head):
            hook = model.layers[layer].register_forward_hook(silence)
            try:
                yield model
            finally:
                hook.remove()

    return contextlib.contextmanager(context)()


# ablation_table


@misconception("ablation_table", "returns the decrease instead of the increase", hint=INCREASE)
def table_decrease(model, tokens, periods, right=ablation_table):
    return -right(model, tokens, periods)


@misconception("ablation_table", "returns the losses themselves", hint=INCREASE)
def table_of_losses(model, tokens, periods, right=ablation_table):
    return right(model, tokens, periods) + repeat_loss(model(tokens)[0], tokens, periods).detach()


@misconception("ablation_table", "returns the quotient of the losses", hint=INCREASE)
def table_of_quotients(model, tokens, periods, right=ablation_table):
    return right(model, tokens, periods) / repeat_loss(model(tokens)[0], tokens, periods).detach() + 1


@misconception("ablation_table", "returns how far the loss moves, up or down",
               hint="Can removal help? What would your table say about such a head?")
def table_absolute(model, tokens, periods, right=ablation_table):
    return right(model, tokens, periods).abs()


@misconception("ablation_table", "puts zeros where removal helps",
               hint="Can removal help? What would your table say about such a head?")
def table_clamped(model, tokens, periods, right=ablation_table):
    return right(model, tokens, periods).clamp(min=0)


@misconception("ablation_table", "has a row for each head instead of each layer",
               hint="Rows are layers, columns are heads. Try a model with three layers of two heads.")
def table_turned(model, tokens, periods, right=ablation_table):
    return right(model, tokens, periods).T


@misconception("ablation_table", "removes one head after the other without putting any back",
               hint="How many heads are missing when your last entry is computed?")
def table_cumulative(model, tokens, periods):
    with contextlib.ExitStack() as stack, torch.no_grad():
        whole, table = repeat_loss(model(tokens)[0], tokens, periods), []
        for layer in range(len(model.layers)):
            for head in range(model.heads):
                stack.enter_context(ablated(model, layer, head))
                table.append(repeat_loss(model(tokens)[0], tokens, periods) - whole)
        return torch.stack(table).view(len(model.layers), -1)


@misconception("ablation_table", "compares with a model from which a head is missing already",
               hint="Which loss do you subtract, and what was removed when you computed it?")
def table_late_base(model, tokens, periods, right=ablation_table):
    table = right(model, tokens, periods)
    return table - table[0, 0]


@misconception("ablation_table", "uses the loss of all places", hint=FIRST_PLACE)
def table_everywhere(model, tokens, periods, right=ablation_table):
    with torch.no_grad():
        table = torch.zeros(len(model.layers), model.heads)
        for layer in range(len(model.layers)):
            for head in range(model.heads):
                with ablated(model, layer, head):
                    without = cross_entropy(model(tokens)[0][:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
                whole = cross_entropy(model(tokens)[0][:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
                table[layer, head] = without - whole
        return table


@misconception("ablation_table", "has two layers of four heads, whatever the model",
               hint="Which numbers stand in your loops, and where does the model say how many it has?")
def table_two_by_four(model, tokens, periods):
    with torch.no_grad():
        whole, table = repeat_loss(model(tokens)[0], tokens, periods), torch.zeros(2, 4)
        for layer in range(2):
            for head in range(4):
                with ablated(model, layer, head):
                    table[layer, head] = repeat_loss(model(tokens)[0], tokens, periods) - whole
        return table


@misconception("ablation_table", "looks at the first layer only",
               hint="The model may have more layers than one.")
def table_first_layer(model, tokens, periods, right=ablation_table):
    return right(model, tokens, periods)[:1]


@misconception("ablation_table", "divides by the largest entry",
               hint="The entries are losses, to be compared across models. What did you divide them by?")
def table_scaled(model, tokens, periods, right=ablation_table):
    table = right(model, tokens, periods)
    return table / table.abs().max()


@misconception("ablation_table", "leaves a head out of the model at the end",
               hint="Call it twice with the same model. What is left of the first time?")
def table_not_restored(model, tokens, periods, right=ablation_table):
    table = right(model, tokens, periods)
    model.left = ablated(model, len(model.layers) - 1, model.heads - 1)
    model.left.__enter__()
    return table


@misconception("ablation_table", "changes the tokens it was given",
               hint="Look at the tokens after the call. Which line changes them?")
def table_in_place(model, tokens, periods, right=ablation_table):
    table = right(model, tokens, periods)
    tokens[:, 0] = 0
    return table

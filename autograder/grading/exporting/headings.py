"""What LMS sites call some columns, in some of their languages."""

from collections.abc import Collection

USERNAME = {
    *("username", "user name", "login", "benutzername", "anmeldename", "nom d'utilisateur"),
    *(
        "nombre de usuario",
        "usuario",
        "nome utente",
        "nome de utilizador",
        "nome de usuário",
        "gebruikersnaam",
    ),
}
NUMBER = {
    *("id number", "student id", "orgdefinedid", "org defined id", "id-nummer", "matrikelnummer"),
    *("numéro d'identification", "id étudiant", "número de id", "id de estudiante", "id del estudiante"),
    *("codice identificativo", "número de identificação", "teilnehmer-id", "student-id"),
}
COMMENTS = {
    *("feedback comments", "feedback als kommentar", "commentaires de feedback"),
    *("comentarios de retroalimentación", "feedback tramite commento", "comentários de feedback"),
}
POINTS = {"Real", "Punkte", "Brut", "Reale"}  # how Moodle shows points, not percent or letters


def called(header: list[str], names: Collection[str]) -> list[int]:
    """The columns that have one of these names."""
    return [place for place, name in enumerate(header) if name.strip().casefold() in names]

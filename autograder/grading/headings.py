"""What LMS sites call the columns of their tables, in some of their languages."""

import re
from unicodedata import normalize

# Titles without spaces, signs and capitals.
TITLES = {
    "lms_id": "lmsid identifier teilnehmerin kennung identifiant identificador identificatore identificatie",
    "login": "login loginid username benutzername nutzername anmeldename nombredeusuario usuario"
    " nomdutilisateur nomeutente gebruikersnaam nomedeusuario nomedeusuário nomedeutilizador"
    " nomedoutilizador användarnamn brukernavn",
    "number": "number studentid studentnumber orgdefinedid idnumber idnummer matrikelnummer"
    " teilnehmerid numérodidentification idétudiant númerodeid iddeestudiante iddelestudiante"
    " númerodeidentificación númerodeidentificação numerodimatricola codiceidentificativo matricola",
    "email": "email emailaddress emailadresse mailadresse correoelectrónico direccióndecorreo"
    " adressedecourriel adresseemail indirizzoemail emailadres endereçodeemail epostadress epostadresse",
    "name": "name fullname displayname vollständigername vollername nombrecompleto nomcomplet nomecompleto"
    " volledigenaam fullständigtnamn fulltnavn",
    "first": "firstname givenname vorname nombre prénom nome voornaam förnamn fornavn",
    "last": "lastname surname familyname nachname apellidos apellido nom cognome achternaam efternamn"
    " etternavn",
    "comments": "feedbackcomments feedbackalskommentar commentairesdefeedback"
    " comentariosderetroalimentación feedbacktramitecommento comentáriosdefeedback",
}
FIELDS = {title: field for field, titles in TITLES.items() for title in titles.split()}
POINTS = {"Real", "Punkte", "Brut", "Reale"}  # how Moodle shows points, not percent or letters


def plain(title: str) -> str:
    """A title without what differs between two writings of it: spaces, signs and capitals."""
    return re.sub(r"[\W_]", "", normalize("NFC", title).casefold())


def field(title: str) -> str | None:
    """What a column of that title holds, one of TITLES; None if nothing that is known."""
    return FIELDS.get(plain(title))


def called(header: list[str], wanted: str) -> list[int]:
    """The columns that hold this, one of TITLES."""
    return [place for place, title in enumerate(header) if field(title) == wanted]

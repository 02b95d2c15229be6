"""What requests carry: bodies, forms and query strings.

JSON is read strictly (a number is no text); whole numbers may be written as 5.0, as
JSON Schema allows. Text that goes into the database has no control characters.
"""

from __future__ import annotations

from typing import Annotated, Literal

from email_validator import EmailNotValidError, validate_email
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.functional_validators import AfterValidator

from genint.model.job import JobStatus
from genint.report.formats import FORMATS

LONGEST_EMAIL = 254
_PLAIN = r"^[^\x00-\x1f\x7f]*$"


class _Strict(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", use_attribute_docstrings=True
    )


class _Query(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


def _email(text: str) -> str:
    """The address as it was given, where it has the form of one (RFC 5321, 5322)."""
    address = text.strip()
    if len(address) > LONGEST_EMAIL:
        raise ValueError(f"an e-mail address has at most {LONGEST_EMAIL} characters")
    try:
        # Reserved names (.local, .test) are in use inside of institutes.
        found = validate_email(address, check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError as problem:
        raise ValueError(f"not a valid e-mail address: {problem}") from None
    if "." not in found.ascii_domain and not found.domain.startswith("["):
        raise ValueError("not a valid e-mail address: the part after @ has no dot")
    return address


def _whole(value: object) -> object:
    """5.0 is the whole number 5 in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Email = Annotated[
    str,
    Field(max_length=LONGEST_EMAIL),
    AfterValidator(_email),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": LONGEST_EMAIL}),
]


class SignupBody(_Strict):
    """A new account."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "email": "ada@example.org",
                "password": "a long enough password",
                "first_name": "Ada",
                "last_name": "Lovelace",
            }
        }
    )

    email: Email
    password: str = Field(min_length=8, max_length=128)
    """8 to 128 characters; there is no other rule."""
    first_name: str = Field(default="", max_length=200, pattern=_PLAIN)
    last_name: str = Field(default="", max_length=200, pattern=_PLAIN)


class LoginBody(_Strict):
    """What signup was given."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"email": "ada@example.org", "password": "a long enough password"}
        }
    )

    email: str = Field(max_length=1000, pattern=r"^[^\x00]*$")
    password: str = Field(max_length=1000)


class NewKeyBody(_Strict):
    """A new API key."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"name": "annotation pipeline", "expires_in_days": 90}}
    )

    name: str = Field(min_length=1, max_length=100, pattern=_PLAIN)
    expires_in_days: Annotated[int, Field(ge=1, le=3650), BeforeValidator(_whole)] | None = None
    """Days until it expires; without it the key does not expire."""


class WaitlistBody(_Strict):
    """An address for the waiting list."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org"}})

    email: Email


class SubmitForm(BaseModel):
    """The form of an upload."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    file: Annotated[str, WithJsonSchema({"type": "string", "format": "binary"})]
    """GenBank or nucleotide FASTA: .gb .gbk .gbff .genbank .fa .fasta .fna, also with .gz."""
    phage_mode: bool = False
    """Recover genes nested in other genes (predicted genes only)."""
    mode: Literal["offline", "local", "online"] = "offline"
    """`local` also uses installed databases; `online` uses them and asks UniProt and InterPro,
    to which only checksums and identifiers of proteins are sent, never a sequence."""


class PageQuery(_Query):
    """Which page of a list."""

    limit: int | None = Field(default=None, ge=1, le=500)
    """Most entries of a page; without it everything is listed."""
    cursor: str | None = Field(default=None, max_length=200)
    """`next_cursor` of the page before."""


class JobsQuery(PageQuery):
    """Which jobs."""

    status: JobStatus | None = None
    """Only jobs in this state."""


def _known_format(name: str) -> str:
    if name not in FORMATS:
        raise ValueError(f"no such format; choose from {', '.join(FORMATS)}")
    return name


class ResultQuery(_Query):
    """In which format a result is wanted."""

    format: Annotated[
        str,
        AfterValidator(_known_format),
        WithJsonSchema({"type": "string", "enum": list(FORMATS)}),
    ] = "json"
    """json: the whole result. tsv, gff3, gbk, dark-fasta: for other programs. md, html: to read."""

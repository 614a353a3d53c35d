"""What schemathesis is told besides schemathesis.toml: who calls, and from where.

`/api/users` is called by applicants, `/api/admins` by Owners. Some calls end a session or close an account; whoever is not
let in any more is replaced by somebody new.
"""

import atexit
import functools
import itertools
import json
import os
import random
import threading
import urllib.request

import schemathesis

URL = os.environ["FUZZ_URL"]
# Owners made before, whom the calls may use up: they share a password.
OWNERS = iter(json.loads(os.environ["FUZZ_OWNERS"]))
PASSWORD = os.environ["FUZZ_PASSWORD"]

# The shortest with which an application for the bachelor's program is complete.
ANSWERS = {
    "applicationType": "ba",
    "personalInfo": {"isUSCitizen": False, "isMilitaryAffiliated": False, "isDoDEmployee": False, "state": None},
    "education": {"hasBachelors": False, "hasMasters": False},
    "employment": {
        "isSeeingCoachingClients": False,
        "isCurrentlyEmployed": False,
        "hasPreviousEmployment": False,
    },
    "financialPlan": {"selectedPayments": ["employer"]},
    "creditTransfer": {"selectedPrograms": []},
    "questionnaire": {
        "answers": {
            "motivation": "A demo.",
            "studyMode": "full_time",
            "hoursPerWeek": 40,
            "needsAccommodation": False,
        }
    },
}

lock = threading.Lock()
numbers = itertools.count(1)
tokens = {}


def address():
    """Somewhere new, so that nobody is throttled for what another call did."""
    number = next(numbers)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def call(path, body, token=None):
    headers = {"content-type": "application/json", "x-forwarded-for": address()}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=30) as response:
        return json.loads(response.read() or b"null")


def applicant():
    person = {
        "firstName": "Demo",
        "lastName": "Sample",
        "email": f"fuzz-{next(numbers)}@example.org",
        "password": PASSWORD,
        "dateOfBirth": "1990-02-28",
        "phoneNumber": "+15550100199",
        "country": "US",
        "state": "TX",
    }
    return call("/api/users/register", person)["token"]


def owner():
    """Signed in, and asked for the password just now."""
    token = call("/api/admins/login", {"email": next(OWNERS), "password": PASSWORD})["token"]
    call("/api/admins/step-up", {"password": PASSWORD}, token)
    return token


NEWCOMERS = {"users": applicant, "admins": owner}


def side(path):
    return "admins" if path.startswith("/api/admins") else "users"


def token(who):
    with lock:
        if who not in tokens:
            tokens[who] = NEWCOMERS[who]()
        return tokens[who]


@schemathesis.auth().apply_to(path_regex="^/api/(users|admins)/")
class Bearer:
    def get(self, case, context):
        return token(side(case.operation.path))

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@functools.cache
def applications():
    """Ids of some that were submitted."""
    for _ in range(8):
        who = applicant()
        call("/api/users/application", ANSWERS, who)
        call("/api/users/application/submit", {"declaration": True}, who)
    listed = call("/api/admins/applications?tab=all", None, token("admins"))
    return [application["id"] for application in listed["applications"]]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    # Every other call goes to an application that there is.
    if context.operation.path.startswith("/api/admins/applications/{id}") and random.random() < 0.5:
        path_parameters["id"] = random.choice(applications())
    return path_parameters


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers = case.headers or {}
    case.headers["X-Forwarded-For"] = address()
    # Would lead every Owner to set a second factor up before anything else.
    rule = case.operation.path == "/api/admins/settings/second-factor"
    if rule and isinstance(case.body, dict) and case.body.get("required") is True:
        case.body["required"] = False


# Calls, and for each operation whether somebody was let in.
calls = 0
let_in = {}
SHUT = (b"auth.required", b"role.forbidden", b"second_factor.missing", b"session.revoked", b"token.")


@schemathesis.hook
def after_call(context, case, response):
    global calls
    who = side(case.operation.path)
    sent = (case.headers or {}).get("Authorization")
    content = response.content or b""
    # Signed out, or an Owner who is one no more.
    ended = response.status_code == 401 or b'"code":"role.forbidden"' in content
    is_shut = response.status_code in (401, 403) and any(b'"code":"' + code in content for code in SHUT)
    with lock:
        calls += 1
        label = case.operation.label
        let_in[label] = let_in.get(label, False) or not is_shut
        if ended and sent == f"Bearer {tokens.get(who)}":
            tokens.pop(who, None)


@atexit.register
def report():
    # A session is asked for with the cookie of a browser.
    shut = [label for label, is_in in let_in.items() if not is_in and label != "POST /api/users/session"]
    with open(os.environ["FUZZ_REPORT"], "w") as file:
        json.dump({"calls": calls, "shut": sorted(shut)}, file)


@schemathesis.serializer(
    "application/offset+octet-stream",
    "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
def piece(context, value):
    return value if isinstance(value, bytes) else str(value).encode()

"""Errors as in https://docs.stripe.com/api/errors; localstripe's all have one type, and few have codes."""

import sys
import traceback

from aiohttp import web
from localstripe.errors import UserError, json_response


class Refused(UserError):
    """An error with its code. `began`: processing had begun, so the error is stored as the answer to an idempotency key
    (https://docs.stripe.com/api/idempotent_requests)."""

    def __init__(self, status, message, code=None, began=False, **more):
        contents = {name: value for name, value in {'code': code, **more}.items() if value is not None}
        super().__init__(status, message, contents)
        self.began = began


def _answer(error):
    contents = error.body['error']
    if error.code == 402:
        contents['type'] = 'card_error'
    elif error.code == 404:
        contents.setdefault('code', 'resource_missing')
    elif error.code >= 500:
        contents['type'] = 'api_error'
    response = json_response({'error': contents}, status=error.code)
    response['began'] = getattr(error, 'began', False)
    return response


@web.middleware
async def middleware(request, handler):
    try:
        return await handler(request)
    except UserError as error:
        return _answer(error)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _answer(UserError(error.status, f'Unrecognized request URL ({request.method}: {request.path}).'))
    except Exception:  # Any exception in localstripe is reported as a server error.
        traceback.print_exc(file=sys.stderr)
        return _answer(UserError(500, 'The Stripe server of the tests has a fault: see its standard error.'))


def unexpected(data):
    """Refuses parameters that were not read: https://docs.stripe.com/error-codes#parameter-unknown"""
    for name in data:
        raise Refused(400, f'Received unknown parameter: {name}', 'parameter_unknown', param=name)

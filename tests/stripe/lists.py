"""Lists as in https://docs.stripe.com/api/pagination: newest first, at most 100, starting after a given object.
localstripe's begin with the oldest, and most have no filters."""

from localstripe import resources
from localstripe.errors import UserError
from localstripe.resources import List, StripeObject

from errors import Refused, unexpected

_COMPARISONS = {
    'gt': lambda at, bound: at > bound,
    'gte': lambda at, bound: at >= bound,
    'lt': lambda at, bound: at < bound,
    'lte': lambda at, bound: at <= bound,
}


def _was_created(thing, when):
    bounds = when if isinstance(when, dict) else {'gte': when, 'lte': when}
    return all(_COMPARISONS[name](thing.created, int(bound)) for name, bound in bounds.items())


@classmethod
def list_all(cls, url, limit=None, starting_after=None, created=None, **filters):
    unexpected({name for name in filters if name not in ('customer', 'payment_intent', 'charge', 'type', 'status')})
    try:
        if limit is not None and not 1 <= int(limit) <= 100:
            raise ValueError
        if isinstance(created, dict) and not created.keys() <= _COMPARISONS.keys():
            raise ValueError
    except ValueError:
        raise UserError(400, 'Invalid limit or created') from None
    if starting_after is not None and f'{cls.object}:{starting_after}' not in resources.store:
        raise Refused(400, f'No such {cls.object}: {starting_after}', 'resource_missing', param='starting_after')
    things = List(url, limit=limit, starting_after=starting_after)
    things._list = [
        thing
        for key, thing in reversed(resources.store.items())
        if key.startswith(cls.object + ':')
        and (created is None or _was_created(thing, created))
        and all(getattr(thing, name, None) == wanted for name, wanted in filters.items() if wanted is not None)
    ]
    return things


StripeObject._api_list_all = list_all
# These duplicate the common list, and fail for an intent without a charge.
for _cls in (resources.Charge, resources.Event, resources.Refund):
    del _cls._api_list_all


def _update(self, **data):
    """An empty value removes a key from the metadata: https://docs.stripe.com/api/metadata"""
    metadata = data.pop('metadata', None)
    _localstripes_update(self, **data)
    if metadata is not None:
        if metadata == '':
            self.metadata = {}
        elif isinstance(metadata, dict):
            merged = {**self.metadata, **metadata}
            self.metadata = {name: value for name, value in merged.items() if value != ''}
        else:
            raise UserError(400, 'Invalid metadata')


_localstripes_update = StripeObject._update
StripeObject._update = _update

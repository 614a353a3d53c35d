// What react-router asks of the platform and a bare isolate lacks. Several bundles share one isolate.

/**
 * The parts of an address, for `encodeLocation` of the static router: it encodes paths that links relative to a route would
 * begin with. Our links are absolute, and paths come encoded as they were asked for.
 */
class Address {
  pathname: string;
  search: string;
  hash: string;

  constructor(href: string) {
    const [, pathname, search, hash] = /^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? [];
    this.pathname = pathname || '/';
    this.search = search ?? '';
    this.hash = hash ?? '';
  }
}

globalThis.URL ??= Address as unknown as typeof URL;

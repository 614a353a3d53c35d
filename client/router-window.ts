/** Returns a proxy of the object whose functions keep working when called on it, with some properties replaced. */
const withProperties = <T extends object>(target: T, properties: { [K in keyof T]?: () => T[K] }): T =>
  new Proxy(target, {
    get(_, name) {
      const own = properties[name as keyof T];
      if (own) return own();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/**
 * Returns the window for the router. An entry without a state counts as the first: the router would otherwise number it
 * with `replaceState`, after which browsers no longer know which form the page has answered, and do not offer to resend
 * it.
 */
export function routerWindow(): Window {
  const history = withProperties(window.history, {
    state: () => (window.history.state as unknown) ?? { idx: 0 },
  });
  return withProperties<Window>(window, { history: () => history });
}

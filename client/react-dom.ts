type ReactDom = typeof import('react-dom/client');

declare const require: (id: 'react-dom/client') => ReactDom;

/** Returns React's renderer. It is evaluated on the first call, which takes long enough to deserve its own task. */
export const reactDom = (): ReactDom => require('react-dom/client');

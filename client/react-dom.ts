type ReactDom = typeof import('react-dom/client');

declare const require: (id: 'react-dom/client') => ReactDom;

/** React's renderer. Evaluated when it is first asked for, which is long enough for a task of its own. */
export const reactDom = (): ReactDom => require('react-dom/client');

import type { Components, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

declare module '@mui/material/Chip' {
  interface ChipPropsVariantOverrides {
    /** A word or a number that should stand out. Material UI's own Badge sets a style attribute. */
    badge: true;
  }
}

// How Material UI's components look here. Theme-dependent values use custom properties, so that every style object
// stays the same for the life of the process.

const label = {
  color: 'var(--palette-heading)',
  font: '600 1rem/1.5 var(--sans)',
} as const;

const focusRing = { outline: '3px solid var(--palette-focus)', outlineOffset: 2 } as const;

/**
 * The square of a checkbox and the circle of a radio button: drawn by the input's own state, before any script runs.
 */
const mark = {
  padding: 0,
  color: 'inherit',
  flex: 'none',
  width: '1.375rem',
  height: '1.375rem',
  marginBlockStart: '0.125rem',
  '& input': { zIndex: 1, cursor: 'inherit' },
  '& .mark': {
    display: 'block',
    width: '100%',
    height: '100%',
    border: '2px solid var(--palette-fieldLine)',
    borderRadius: 'inherit',
    background: 'var(--palette-field)',
    color: 'transparent',
    fill: 'none',
    stroke: 'currentcolor',
    strokeWidth: 3.5,
  },
  '& :is(:checked, :indeterminate:not([type="radio"])) + .mark': {
    borderColor: 'var(--palette-accent)',
    background: 'var(--palette-accent)',
    color: 'var(--palette-background-paper)',
  },
  '& :disabled + .mark': { opacity: 0.6 },
  '& :focus-visible + .mark': focusRing,
  '@media (forced-colors: active)': {
    '& .mark': { borderColor: 'ButtonText' },
    '& :checked + .mark': { background: 'Highlight', color: 'HighlightText', forcedColorAdjust: 'none' },
  },
} as const;

/** Styled by `mark`. */
function Mark({ children }: { children: ReactNode }) {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

// Components, because Material UI clones icons with a size prop, which is not an attribute.
const Tick = () => (
  <Mark>
    <path d="m6 12.5 4 4L18 8.5" />
  </Mark>
);
const Dot = () => (
  <Mark>
    <circle cx="12" cy="12" r="4.5" fill="currentcolor" stroke="none" />
  </Mark>
);
const Dash = () => (
  <Mark>
    <path d="M6.5 12h11" />
  </Mark>
);
const [tick, dot, dash] = [<Tick key="tick" />, <Dot key="dot" />, <Dash key="dash" />];

export const components: Components<Theme> = {
  // A ripple would only repeat what focus, hover and the press already show.
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: { root: { '&:focus-visible': focusRing } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: {
        gap: '0.625rem',
        minWidth: 0,
        minHeight: '2.75rem',
        padding: '15px 30px',
        textAlign: 'center',
        transition: 'background-color 120ms, color 120ms',
        "&:disabled, &[aria-disabled='true']": { cursor: 'default', opacity: 0.7 },
        '@media (forced-colors: active)': { border: '1px solid' },
        variants: [
          {
            props: { variant: 'contained' },
            style: {
              '&:disabled': {
                background: 'var(--palette-primary-main)',
                color: 'var(--palette-primary-contrastText)',
              },
              '&:hover': {
                background: 'var(--palette-primary-dark)',
                color: 'var(--palette-buttonHoverText)',
              },
            },
          },
          {
            props: { variant: 'outlined' },
            style: {
              padding: '15px 30px',
              border: 0,
              boxShadow: 'inset 0 0 0 1px currentcolor',
              color: 'var(--palette-heading)',
              '&:hover': {
                background: 'var(--palette-heading)',
                color: 'var(--palette-background-default)',
              },
            },
          },
          {
            props: { variant: 'text' },
            style: {
              paddingInline: 0,
              border: 0,
              color: 'var(--palette-accent)',
              textDecoration: 'underline 1px',
              textUnderlineOffset: '0.25em',
              '&:hover': { background: 'none', textDecoration: 'underline 2px' },
              '@media (forced-colors: active)': { border: 0 },
            },
          },
          { props: { variant: 'text', size: 'small' }, style: { paddingBlock: 0, fontSize: 'inherit' } },
        ],
      },
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: {
        width: '2.75rem',
        height: '2.75rem',
        padding: 0,
        borderRadius: 2,
        color: 'var(--palette-heading)',
        '&:hover': { background: 'color-mix(in srgb, var(--palette-divider) 25%, transparent)' },
      },
    },
  },
  MuiSvgIcon: {
    defaultProps: { fontSize: 'inherit' },
    styleOverrides: {
      root: {
        flex: 'none',
        width: '1.25em',
        height: '1.25em',
        fill: 'none',
        stroke: 'currentcolor',
        strokeWidth: 1.75,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        verticalAlign: '-0.25em',
        transition: 'none',
      },
    },
  },
  MuiFormControl: {
    styleOverrides: {
      root: {
        // A fieldset has its own padding.
        display: 'block',
        width: '100%',
        '&[data-invalid]': {
          paddingInlineStart: '1rem',
          borderInlineStart: '3px solid var(--palette-error-main)',
        },
      },
    },
  },
  MuiFormLabel: {
    styleOverrides: {
      root: {
        ...label,
        display: 'block',
        '&.Mui-focused, &.Mui-error, &.Mui-disabled': { color: 'var(--palette-heading)' },
      },
    },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: {
        margin: 0,
        color: 'var(--palette-text-secondary)',
        font: '400 1rem/1.5 var(--sans)',
        textWrap: 'balance',
        '&.Mui-disabled': { color: 'var(--palette-text-secondary)' },
        '&.Mui-error': { color: 'var(--palette-text-secondary)' },
        '&[data-error]': {
          display: 'flex',
          gap: '0.5rem',
          color: 'var(--palette-accent)',
          fontWeight: 600,
          textWrap: 'pretty',
        },
        '& + &[data-error]': { marginBlockStart: '0.25rem' },
        '&[data-count]': {
          marginBlockStart: '0.375rem',
          fontSize: '0.875rem',
          fontVariantNumeric: 'tabular-nums',
        },
        '&[data-over]': { color: 'var(--palette-accent)', fontWeight: 600 },
        '&[data-error] > svg': { marginBlockStart: '0.125rem' },
      },
    },
  },
  MuiInputBase: {
    // base.css has these global styles; otherwise emotion would write a style element for every input.
    defaultProps: { disableInjectingGlobalStyles: true, fullWidth: true },
    styleOverrides: {
      root: {
        // Fields are white in both themes, including everything that depends on the colour scheme.
        colorScheme: 'light',
        marginBlockStart: '0.375rem',
        border: '1px solid var(--palette-fieldLine)',
        borderRadius: 5,
        background: 'var(--palette-field)',
        color: 'var(--palette-text-primary)',
        font: '400 1.0625rem/1.5 var(--sans)',
        '&:has(:focus-visible)': focusRing,
        '&.Mui-error': {
          borderColor: 'var(--palette-accent)',
          boxShadow: 'inset 0 0 0 1px var(--palette-accent)',
        },
        '&.Mui-disabled': { color: 'var(--palette-text-secondary)' },
        variants: [{ props: { size: 'small' }, style: { fontSize: '0.875rem' } }],
      },
      input: {
        boxSizing: 'border-box',
        height: 'auto',
        minHeight: 'calc(3rem - 2px)',
        padding: 'calc(0.625rem - 1px) 0.875rem',
        border: 0,
        borderRadius: 'inherit',
        background: 'inherit',
        font: 'inherit',
        textOverflow: 'ellipsis',
        '&:focus-visible': { outline: 'none' },
        '&::placeholder': { color: 'var(--palette-placeholder)', opacity: 1 },
        'textarea&': { resize: 'vertical' },
        variants: [{ props: { size: 'small' }, style: { minHeight: '2.25rem', paddingBlock: '0.25rem' } }],
      },
    },
  },
  MuiNativeSelect: {
    styleOverrides: {
      select: {
        '&&&': { minWidth: 0, paddingInlineEnd: '2.5rem' },
        '& option': { background: 'var(--palette-field)' },
        '@media (forced-colors: active)': { appearance: 'auto' },
      },
      // Ignores the pointer, so that a press on it opens the list.
      icon: {
        '@media (forced-colors: active)': { display: 'none' },
        right: 'auto',
        insetInlineEnd: '0.875rem',
        color: 'var(--palette-heading)',
      },
    },
  },
  MuiFormControlLabel: {
    styleOverrides: {
      root: {
        alignItems: 'flex-start',
        gap: '0.75rem',
        minWidth: 0,
        minHeight: '3.25rem',
        margin: 0,
        padding: '0.8125rem 1rem',
        border: '1px solid var(--palette-fieldLine)',
        borderRadius: 5,
        background: 'var(--palette-field)',
        color: 'var(--palette-text-primary)',
        font: '400 1.0625rem/1.5 var(--sans)',
        overflowWrap: 'anywhere',
        '& > span': { minWidth: 0 },
        '&:hover': { borderColor: 'var(--palette-heading)' },
        // Differs from the colour of errors.
        '&:has(:checked)': {
          borderColor: 'var(--palette-heading)',
          boxShadow: 'inset 0 0 0 1px var(--palette-heading)',
        },
        '&:has(:focus-visible)': focusRing,
        '& :focus-visible + .mark': { outline: 'none' },
        '@media (forced-colors: active)': { '&:has(:checked)': { border: '3px solid Highlight' } },
      },
    },
  },
  // The same icon in both states: the input's state determines its visibility.
  MuiCheckbox: {
    defaultProps: { icon: tick, checkedIcon: tick, indeterminateIcon: dash },
    styleOverrides: {
      root: {
        ...mark,
        borderRadius: 3,
        variants: [
          // In a row, takes the height of the row.
          {
            props: { size: 'small' },
            style: {
              justifyContent: 'flex-start',
              width: '2.75rem',
              height: '2.5rem',
              marginBlockStart: 0,
              '& .mark': { width: '1.125rem', height: '1.125rem', borderRadius: 3 },
            },
          },
        ],
      },
    },
  },
  MuiRadio: {
    defaultProps: { icon: dot, checkedIcon: dot },
    styleOverrides: { root: { ...mark, borderRadius: '50%' } },
  },
  MuiPaper: { defaultProps: { variant: 'outlined', square: true } },
  MuiCard: {
    styleOverrides: {
      root: {
        overflow: 'visible',
        paddingBlock: '1.5rem',
        border: 0,
        borderBlockStart: '2px solid var(--palette-heading)',
        '&:not(.loud)': { background: 'none' },
        '&.loud': { background: 'var(--palette-loud)', '@media print': { background: 'none' } },
      },
    },
  },
  MuiAlert: {
    styleOverrides: {
      root: {
        gap: '0.75rem',
        padding: '1rem 1.25rem',
        border: '1px solid var(--palette-divider)',
        borderInlineStart: '4px solid var(--palette-heading)',
        borderRadius: 0,
        background: 'var(--palette-background-paper)',
        color: 'var(--palette-text-primary)',
        font: '400 1rem/1.5 var(--sans)',
        '& .MuiAlert-icon': { color: 'var(--palette-heading)' },
        '& .MuiButton-outlined': { padding: '10px 20px' },
        variants: (['error', 'warning'] as const).map((severity) => ({
          props: { severity },
          style: {
            borderInlineStartColor: 'var(--palette-error-main)',
            '& .MuiAlert-icon': { color: 'var(--palette-accent)' },
          },
        })),
      },
      icon: { margin: 0, padding: 0, paddingBlockStart: '0.125rem', opacity: 1, fontSize: 'inherit' },
      message: { minWidth: 0, padding: 0, overflow: 'visible' },
    },
  },
  MuiAlertTitle: {
    styleOverrides: { root: { ...label, margin: 0 } },
  },
  // Navigation: the bar on top, the side menu, the account menu.
  MuiAppBar: {
    defaultProps: { position: 'static', color: 'inherit' },
    styleOverrides: {
      // A bound edge, then a rule as on a title page.
      root: {
        border: 0,
        borderBlockStart: '6px solid var(--palette-loud)',
        borderBlockEnd: '1px solid var(--palette-divider)',
        background: 'none',
      },
    },
  },
  MuiToolbar: {
    defaultProps: { disableGutters: true, variant: 'dense' },
    styleOverrides: {
      root: {
        flexWrap: 'wrap',
        gap: '0 2rem',
        width: '100%',
        maxWidth: 'calc(70rem + 2 * var(--margin))',
        marginInline: 'auto',
        padding: '0.5rem var(--margin)',
        '@media (max-width: 40rem)': { gap: '0 1rem' },
      },
    },
  },
  MuiListItem: { styleOverrides: { root: { maxWidth: 'none' } } },
  MuiListItemButton: {
    styleOverrides: {
      root: {
        gap: '0.75rem',
        minHeight: '2.75rem',
        color: 'inherit',
        font: 'inherit',
        transition: 'none',
        '&:hover': { backgroundColor: 'color-mix(in srgb, var(--palette-divider) 25%, transparent)' },
      },
    },
  },
  MuiAvatar: {
    styleOverrides: {
      root: {
        width: '2rem',
        height: '2rem',
        border: '1px solid',
        background: 'none',
        color: 'var(--palette-secondary-main)',
        font: '600 0.75rem/1 var(--sans)',
        letterSpacing: '0.04em',
      },
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: {
        gap: '0.5rem',
        minHeight: '2.75rem',
        padding: '0 0.875rem',
        borderColor: 'var(--palette-fieldLine)',
        color: 'inherit',
        fontWeight: 400,
        '&:hover': { background: 'none', textDecoration: 'underline' },
        '&.Mui-selected, &.Mui-selected:hover': {
          borderColor: 'var(--palette-heading)',
          background: 'var(--palette-heading)',
          color: 'var(--palette-background-default)',
          fontWeight: 600,
        },
        // Draws the focus ring above neighbours.
        '&:focus-visible': { zIndex: 1 },
        '@media (max-width: 40rem)': { paddingInline: '0.625rem' },
        '@media (forced-colors: active)': { '&.Mui-selected': { border: '3px solid Highlight' } },
      },
    },
  },
  MuiChip: {
    styleOverrides: {
      root: {
        gap: '0.375rem',
        height: 'auto',
        border: 0,
        borderRadius: 0,
        background: 'none',
        color: 'var(--palette-heading)',
        font: '600 0.875rem/1.5 var(--sans)',
        verticalAlign: 'baseline',
        whiteSpace: 'normal',
      },
      icon: { margin: 0, color: 'var(--palette-accent)', fontSize: 'inherit' },
      label: { padding: 0, overflow: 'visible', whiteSpace: 'normal' },
    },
    variants: [
      {
        props: { variant: 'badge' },
        style: {
          flex: 'none',
          minWidth: '1.5rem',
          paddingInline: '0.5rem',
          borderRadius: 2,
          background: 'var(--palette-loud)',
          color: '#fff',
          '@media (forced-colors: active)': { border: '1px solid' },
        },
      },
      {
        props: { variant: 'outlined' },
        style: {
          padding: '0.125rem 0.625rem',
          border: '1px solid var(--palette-divider)',
          borderRadius: '1rem',
          color: 'var(--palette-text-primary)',
        },
      },
      {
        props: { clickable: true },
        style: {
          minHeight: '2.25rem',
          '&:hover': { borderColor: 'var(--palette-accent)', color: 'var(--palette-accent)' },
          '&[aria-current]': { borderColor: 'var(--palette-heading)', color: 'var(--palette-heading)' },
        },
      },
    ],
  },
};

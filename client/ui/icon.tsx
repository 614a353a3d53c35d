import SvgIcon from '@mui/material/SvgIcon';
import type { ReactNode } from 'react';

const shapes = {
  arrow: <path d="M4 12h15M13 6l6 6-6 6" />,
  auto: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
    </>
  ),
  back: <path d="M20 12H5M11 6l-6 6 6 6" />,
  circle: <circle cx="12" cy="12" r="8" />,
  calendar: <path d="M4 6.5h16V20H4zM4 10.5h16M8 3.5v5M16 3.5v5" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  chevron: <path d="m6 9 6 6 6-6" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5l3.5 2.5" />
    </>
  ),
  close: <path d="m6 6 12 12M18 6 6 18" />,
  'cloud-off': (
    <path d="M9 5.6A6 6 0 0 1 17.6 10a4.5 4.5 0 0 1 2.9 7.3M16 19H7a5 5 0 0 1-.6-10M3.5 3.5l17 17" />
  ),
  coins: (
    <>
      <ellipse cx="12" cy="6.5" rx="7.5" ry="3" />
      <path d="M4.5 6.5V12c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3V6.5M4.5 12v5.5c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3V12" />
    </>
  ),
  disc: <circle cx="12" cy="12" r="8" fill="currentColor" />,
  down: <path d="M12 4v15M6 13l6 6 6-6" />,
  error: (
    <>
      <path d="M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7z" />
      <path d="M12 7.5v5.5M12 16.2v.1" />
    </>
  ),
  file: <path d="M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5" />,
  filter: <path d="M4 6.5h16M7 12h10M10 17.5h4" />,
  half: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
    </>
  ),
  inbox: <path d="M4 13.5 6.5 5h11L20 13.5V19H4zM4 13.5h4.5l1.5 2.5h4l1.5-2.5H20" />,
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5.5M12 7.7v.1" />
    </>
  ),
  list: <path d="M9.5 6.5H20M9.5 12H20M9.5 17.5H20M4.5 6.5h1M4.5 12h1M4.5 17.5h1" />,
  mail: <path d="M3.5 5.5h17v13h-17zM4 6l8 7 8-7" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  minus: <path d="M5 12h14" />,
  moon: <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />,
  plus: <path d="M5 12h14M12 5v14" />,
  panel: <path d="M3.5 5h17v14h-17zM14 5v14" />,
  pen: <path d="m5 19 1-4L16.5 4.5l3 3L9 18zM14.5 6.5l3 3" />,
  people: (
    <>
      <circle cx="9" cy="8.5" r="3.5" />
      <path d="M3 19.5c.8-3.5 3-5 6-5s5.2 1.5 6 5M15.5 5.2a3.5 3.5 0 0 1 0 6.6M17.5 14.8c2 .6 3.1 2.2 3.6 4.7" />
    </>
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c1-4 4-6 7.5-6s6.5 2 7.5 6" />
    </>
  ),
  scales: <path d="M12 4v16M8 20h8M5 7h14M5 7l-2.5 6.5h5zM19 7l-2.5 6.5h5z" />,
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="m15 15 5 5" />
    </>
  ),
  sliders: <path d="M4 7h8M17 7h3M14.5 4.5v5M4 12h2M11 12h9M8.5 9.5v5M4 17h9M18 17h2M15.5 14.5v5" />,
  star: <path d="m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8z" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M5.3 18.7 7 17M17 7l1.7-1.7" />
    </>
  ),
  trash: <path d="M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7" />,
  up: <path d="M12 20V5M6 11l6-6 6 6" />,
  warning: <path d="M12 4 2.8 20h18.4zM12 10v5M12 17.6v.1" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

interface IconProps {
  name: IconName;
  /** Set by components that receive an icon. */
  className?: string;
}

/** One of our own line icons, as large as the text beside it and hidden from assistive technology. */
export function Icon({ name, className }: IconProps) {
  return <SvgIcon className={className}>{shapes[name]}</SvgIcon>;
}

/** Every page there is, by what it is called. `owner` says who sees it. */
export interface PageCase {
  name: string;
  path: string;
  owner: 'anyone' | 'applicant';
  status?: number;
}

export const pages: PageCase[] = [
  { name: 'bachelor’s landing', path: '/bachelor/apply', owner: 'anyone' },
  { name: 'master’s landing', path: '/masters/apply', owner: 'anyone' },
  { name: 'login dialog', path: '/bachelor/apply?dialog=login', owner: 'anyone' },
  { name: 'register dialog', path: '/bachelor/apply?dialog=register', owner: 'anyone' },
  { name: 'forgot-password dialog', path: '/bachelor/apply?dialog=forgot', owner: 'anyone' },
  { name: 'application of a stranger', path: '/masters/application', owner: 'anyone' },
  { name: 'reset password by link', path: '/reset-password?token=abc', owner: 'anyone' },
  { name: 'reset password by code', path: '/reset-password', owner: 'anyone' },
  { name: 'not found', path: '/bachelors/apply', owner: 'anyone', status: 404 },
  { name: 'staff login', path: '/admin-panel/login', owner: 'anyone' },
  { name: 'mailbox', path: '/mailbox', owner: 'anyone' },
  { name: 'landing of an applicant', path: '/bachelor/apply', owner: 'applicant' },
  { name: 'application', path: '/bachelor/application', owner: 'applicant' },
  { name: 'application of the other program', path: '/masters/application', owner: 'applicant' },
  { name: 'check your answers', path: '/bachelor/application/check', owner: 'applicant' },
  { name: 'dashboard', path: '/dashboard', owner: 'applicant' },
  { name: 'account', path: '/dashboard/account', owner: 'applicant' },
  { name: 'not found below the dashboard', path: '/dashboard/documents', owner: 'applicant', status: 404 },
];

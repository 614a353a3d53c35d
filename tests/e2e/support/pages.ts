/** A page by name; there is one for every page. `owner` is who can see it. */
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
  {
    name: 'invitation that is gone',
    path: '/admin-panel/invitation?token=abc',
    owner: 'anyone',
    status: 404,
  },
  { name: 'mailbox', path: '/mailbox', owner: 'anyone' },
  { name: 'landing of an applicant', path: '/bachelor/apply', owner: 'applicant' },
  { name: 'application', path: '/bachelor/application', owner: 'applicant' },
  { name: 'about you', path: '/bachelor/application/about-you', owner: 'applicant' },
  { name: 'employment', path: '/bachelor/application/employment?from=check', owner: 'applicant' },
  { name: 'financial plan', path: '/bachelor/application/financial-plan', owner: 'applicant' },
  { name: 'questions of the program', path: '/bachelor/application/questions', owner: 'applicant' },
  { name: 'no section', path: '/bachelor/application/nowhere', owner: 'applicant', status: 404 },
  { name: 'section of a stranger', path: '/masters/application/education', owner: 'anyone' },
  { name: 'application of the other program', path: '/masters/application', owner: 'applicant' },
  { name: 'check your answers', path: '/bachelor/application/check', owner: 'applicant' },
  { name: 'interview before the application is sent', path: '/schedule', owner: 'applicant' },
  { name: 'time zone', path: '/schedule?step=zone', owner: 'applicant' },
  { name: 'dashboard', path: '/dashboard', owner: 'applicant' },
  { name: 'account', path: '/dashboard/account', owner: 'applicant' },
  { name: 'documents', path: '/dashboard/documents', owner: 'applicant' },
  { name: 'second factor', path: '/dashboard/account/second-factor', owner: 'applicant' },
  { name: 'change of the email', path: '/dashboard/account/email', owner: 'applicant' },
  { name: 'closing of the account', path: '/dashboard/account/close', owner: 'applicant' },
  { name: 'link that confirms no email', path: '/confirm-email?token=abc', owner: 'anyone' },
  { name: 'inquiry', path: '/bachelor/inquire', owner: 'anyone' },
  { name: 'inquiry that was sent', path: '/masters/inquire?sent=1', owner: 'anyone' },
  { name: 'inquiry of an applicant', path: '/masters/inquire', owner: 'applicant' },
  { name: 'link that confirms no inquiry', path: '/inquiries/confirm?token=abc', owner: 'anyone' },
  { name: 'link that ends no mails', path: '/unsubscribe?token=abc', owner: 'anyone' },
  { name: 'link to no booking', path: '/open-days/booking?token=abc', owner: 'anyone' },
  { name: 'no open day', path: '/open-days/nowhere', owner: 'anyone', status: 404 },
  { name: 'references', path: '/dashboard/references', owner: 'applicant' },
  { name: 'link to no reference', path: '/reference?token=abc', owner: 'anyone', status: 404 },
  { name: 'messages', path: '/dashboard/messages', owner: 'applicant' },
  { name: 'not found below the dashboard', path: '/dashboard/nowhere', owner: 'applicant', status: 404 },
];

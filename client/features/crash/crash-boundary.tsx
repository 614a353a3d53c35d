import { Component } from 'react';
import type { ReactNode } from 'react';
import { CrashScreen } from './crash-screen';

interface CrashBoundaryState {
  crashed: boolean;
  message?: string | undefined;
}

/** Shows the crash screen when anything below it throws while rendering. React logs the error. */
export class CrashBoundary extends Component<{ children: ReactNode }, CrashBoundaryState> {
  override state: CrashBoundaryState = { crashed: false };

  static getDerivedStateFromError(thrown: unknown): CrashBoundaryState {
    return { crashed: true, message: thrown instanceof Error ? thrown.message : undefined };
  }

  override render() {
    return this.state.crashed ? <CrashScreen message={this.state.message} /> : this.props.children;
  }
}

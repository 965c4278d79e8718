import type { Agenda } from '../agenda.ts';
import type { SimulatedControlPlane } from '../controlPlane.ts';

export function startDetector(_plane: SimulatedControlPlane, _agenda: Agenda): void {}

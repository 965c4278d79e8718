import { START } from '../../simulator/simulation/controlPlane.ts';
import type { Client } from '../fakeClient.ts';
import type { FakeControlPlane } from '../fakeControlPlane.ts';

/** What happens on a control plane, when the process is killed and begun again, and when the play ends: in seconds after the start. */
export interface Play {
  happens: (plane: FakeControlPlane) => void;
  kills?: number[];
  until: number;
}

/** Plays on a control plane beside a process that `begin` starts. */
export async function playWithKills(
  plane: FakeControlPlane,
  begin: () => Client,
  { happens, kills = [], until }: Play,
): Promise<void> {
  let client = begin();
  for (const at of kills)
    plane.time.plan(START + at * 1000, () => {
      client.kill();
      client = begin();
    });
  happens(plane);
  let over: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (over = resolve));
  plane.time.plan(START + until * 1000, over);
  await plane.time.until(end);
}

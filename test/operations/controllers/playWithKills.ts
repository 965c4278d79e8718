import { START } from '../../simulator/simulation/controlPlane.ts';
import type { Client } from '../fakeClient.ts';
import type { FakeControlPlane } from '../fakeControlPlane.ts';

/** The events of a control plane, the kills and restarts of the process, and the end of the play: in seconds after the start. */
export interface Play {
  happens: (plane: FakeControlPlane) => void;
  kills?: number[];
  until: number;
}

/** Plays on a control plane alongside a process started by `begin`. */
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

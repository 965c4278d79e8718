import type { DrainProgress } from '../../engine/drain/drainEvent.ts';
import type { Style } from '../../presentation/text/style.ts';
import { followPhases, type PhaseTimes } from '../../views/drain/phaseTimes.ts';
import type { BarCharacters } from '../screen/barCharacters.ts';
import { openScreen } from '../screen/openScreen.tsx';
import { loadLayout } from '../screen/yoga.ts';
import { DrainScreen } from './DrainScreen.tsx';

export interface DrainScreenOptions {
  stdout: NodeJS.WriteStream;
  style: Style;
  characters: BarCharacters;
  /** the result of `plannedDeparture` for the plan */
  departure: number | undefined;
}

/** A part of the terminal that shows the present state of a drain and is drawn again and again. */
export interface OpenDrainScreen {
  /** draws this state soon; not every state is drawn if they come quickly */
  show(progress: DrainProgress): void;
  /** a line that stays, above the state */
  log(line: string): void;
  /** shows that the drain is about to stop */
  stopping(): void;
  /** draws the newest state one last time, and leaves it there */
  close(): Promise<void>;
}

/** Opens the screen of a drain; its times go on between two states. */
export async function openDrainScreen({
  stdout,
  style,
  characters,
  departure,
}: DrainScreenOptions): Promise<OpenDrainScreen> {
  await loadLayout();
  let newest: { progress: DrainProgress; at: number } | undefined;
  let times: PhaseTimes = new Map();
  let state: 'going' | 'stopping' | 'ended' = 'going';
  const screen = openScreen({
    stdout,
    style,
    draw(size) {
      if (!newest) return <></>;
      const now = newest.progress.now + Date.now() - newest.at;
      const view = { progress: { ...newest.progress, now }, times, departure, characters, state };
      return <DrainScreen {...view} {...size} />;
    },
  });
  return {
    show(progress) {
      newest = { progress, at: Date.now() };
      times = followPhases(times, progress);
    },
    log: screen.log,
    stopping() {
      state = 'stopping';
      screen.draw();
    },
    close() {
      state = 'ended';
      return screen.close();
    },
  };
}

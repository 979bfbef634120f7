import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Notice } from '../../components/states/states.tsx';
import { useWords } from '../../shared/language.ts';
import styles from './new-withdrawal.module.css';
import { openScanner } from './scanner.ts';
import { newWithdrawalWords } from './words.ts';

const SCAN_EVERY_MS = 250;

/** Returns whether the page can use a camera. Browsers provide none over plain http. */
export function hasCamera(): boolean {
  return navigator.mediaDevices !== undefined;
}

/** Shows the camera's picture until it contains a QR code. No picture is sent to a server. */
export function Camera({ onFound }: { onFound: (text: string) => void }) {
  const words = useWords(newWithdrawalWords);
  const video = useRef<HTMLVideoElement>(null);
  const [isRefused, setRefused] = useState(false);
  const found = useEffectEvent(onFound);
  useEffect(() => {
    const ended = new AbortController();
    if (video.current) watch(video.current, ended.signal, found).catch(() => setRefused(true));
    return () => ended.abort();
  }, []);
  if (isRefused) return <Notice tone="warn">{words.noCamera}</Notice>;
  return <video ref={video} className={styles.camera} muted playsInline aria-label={words.scan} />;
}

async function watch(
  video: HTMLVideoElement,
  ended: AbortSignal,
  found: (text: string) => void,
): Promise<void> {
  const scan = await openScanner();
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    await video.play();
    while (!ended.aborted) {
      const code = await scan(video);
      if (code !== null && !ended.aborted) return found(code);
      await new Promise((resolve) => setTimeout(resolve, SCAN_EVERY_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

export interface Trust {
  ca?: Buffer | undefined;
  insecure: boolean;
  serverName?: string | undefined;
}

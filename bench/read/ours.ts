// Reads all ResourceBindings of the API server of a kubeconfig and keeps them: ours.ts KUBECONFIG
import { connect } from '../../src/state/live/connect.ts';
import { apiPath, RESOURCE_BINDINGS } from '../../src/state/live/resources.ts';

const server = await connect({ kubeconfig: process.argv[2] });
const { items } = await server.list(apiPath(RESOURCE_BINDINGS));
server.close();
console.log(`${items.length} bindings`);

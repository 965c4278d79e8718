// The bundler finds the names of a CommonJS package only if it is imported like this. Loaded only if there is an archive to read.
export { extract } from 'tar-stream';

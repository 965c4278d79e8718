// The bundler gives a CommonJS package its names only if it is imported like this; loaded when there is an archive to read.
export { extract } from 'tar-stream';

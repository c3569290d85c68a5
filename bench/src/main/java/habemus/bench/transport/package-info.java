/** Compares libraries for the transport of nodes and clients. */
@NullMarked
package habemus.bench.transport;

import org.jspecify.annotations.NullMarked;

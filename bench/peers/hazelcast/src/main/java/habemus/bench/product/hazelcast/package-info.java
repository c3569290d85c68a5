/** Hazelcast and the fenced locks of its CP subsystem. */
@NullMarked
package habemus.bench.product.hazelcast;

import org.jspecify.annotations.NullMarked;

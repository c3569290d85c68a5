/** Hazelcast and the fenced locks of its CP subsystem. */
@NullMarked
package habemus.peers.hazelcast;

import org.jspecify.annotations.NullMarked;

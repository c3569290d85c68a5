/** Habemus itself, driven like all others. */
@NullMarked
package habemus.peers.habemus;

import org.jspecify.annotations.NullMarked;

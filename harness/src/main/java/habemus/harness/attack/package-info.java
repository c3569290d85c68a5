/** Hostile input against a cluster of one's own, beside an honest client that must not notice. */
@NullMarked
package habemus.harness.attack;

import org.jspecify.annotations.NullMarked;

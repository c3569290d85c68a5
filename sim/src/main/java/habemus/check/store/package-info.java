/** Compact storage of states: interned local states with memoised transitions, and the visited set. */
@NullMarked
package habemus.check.store;

import org.jspecify.annotations.NullMarked;

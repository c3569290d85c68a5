/** Compact storage of states: interned local and global states, memoised transitions, the visited set. */
@NullMarked
package habemus.check.store;

import org.jspecify.annotations.NullMarked;

/**
 * What surrounds the nodes, as data: who can talk to whom, how messages travel, what goes wrong and when, what the
 * applications want; and the judges that say whether a run kept its promises.
 */
@NullMarked
package habemus.world;

import org.jspecify.annotations.NullMarked;

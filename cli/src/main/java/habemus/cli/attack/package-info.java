/** The command that attacks a cluster of one's own. */
@NullMarked
package habemus.cli.attack;

import org.jspecify.annotations.NullMarked;

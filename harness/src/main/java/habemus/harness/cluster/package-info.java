/** Clusters of child processes that tests and soaks control. */
@NullMarked
package habemus.harness.cluster;

import org.jspecify.annotations.NullMarked;

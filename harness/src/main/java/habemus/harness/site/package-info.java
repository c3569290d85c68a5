/** Where the nodes of a cluster run: on loopback ports, or in network namespaces. */
@NullMarked
package habemus.harness.site;

import org.jspecify.annotations.NullMarked;

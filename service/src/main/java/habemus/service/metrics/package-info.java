/** What a node measures while it works, for Prometheus. */
@NullMarked
package habemus.service.metrics;

import org.jspecify.annotations.NullMarked;

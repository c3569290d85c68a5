/** The replicated log on etcd. */
@NullMarked
package habemus.log.etcd;

import org.jspecify.annotations.NullMarked;

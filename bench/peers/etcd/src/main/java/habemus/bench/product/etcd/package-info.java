/** etcd and its lock service, as called through jetcd. */
@NullMarked
package habemus.bench.product.etcd;

import org.jspecify.annotations.NullMarked;

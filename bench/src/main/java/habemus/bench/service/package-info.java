/** Benchmarks of one node of the lock service. */
@NullMarked
package habemus.bench.service;

import org.jspecify.annotations.NullMarked;

/** What a node did, step by step, on disk. */
@NullMarked
package habemus.service.record;

import org.jspecify.annotations.NullMarked;

/**
 * Fenced locks, read/write locks, semaphores and elections for Java programs.
 *
 * <pre>{@code
 * try (Habemus habemus = Habemus.connect("a:7900", "b:7900", "c:7900");
 *      Grant grant = habemus.lock("nightly-report").acquire(Duration.ofSeconds(5))) {
 *     archive.write(report, grant.fence());
 * }
 * }</pre>
 *
 * <p>A {@link habemus.client.Grant} is valid until it is closed or lost. By the holder's own clock, it is lost before
 * the service can grant the lock to another client. The fence stops a write that is still in flight then. It is a
 * number that grows with every grant, and the resource compares it (see {@link habemus.client.FenceGuard}).
 */
@NullMarked
package habemus.client;

import org.jspecify.annotations.NullMarked;

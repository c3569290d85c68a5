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
 * <p>A {@link habemus.client.Grant} is good until it is closed or lost. It is lost before the service may grant to
 * another, by the holder's own clock. What has no clock, like a late write on its way, is stopped by the fence: a
 * number that grows with every grant, which the resource compares (see {@link habemus.client.FenceGuard}).
 */
@NullMarked
package habemus.client;

import org.jspecify.annotations.NullMarked;

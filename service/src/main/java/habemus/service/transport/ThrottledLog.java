package habemus.service.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs at most one line per second and address, so that an attacker cannot fill the log. For one thread. */
final class ThrottledLog {

    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MAX_ADDRESSES = 1_024;

    private final Logger logger;
    private final LongSupplier nanoClock;
    private final Map<InetAddress, Long> lastLines = new LinkedHashMap<>(); // the oldest first

    ThrottledLog(Logger logger, LongSupplier nanoClock) {
        this.logger = logger;
        this.nanoClock = nanoClock;
    }

    void info(SocketAddress peer, String format, Object... arguments) {
        if (peer instanceof InetSocketAddress address && isDue(address.getAddress())) {
            logger.info(format, arguments);
        }
    }

    /** Whether a line about this address may be logged now. If so, it counts as logged. */
    boolean isDue(InetAddress address) {
        long now = nanoClock.getAsLong();
        var last = lastLines.get(address);
        if (last != null && now - last < INTERVAL_NANOS) {
            return false;
        }
        lastLines.remove(address);
        lastLines.put(address, now);
        if (lastLines.size() > MAX_ADDRESSES) {
            lastLines.remove(lastLines.keySet().iterator().next());
        }
        return true;
    }
}

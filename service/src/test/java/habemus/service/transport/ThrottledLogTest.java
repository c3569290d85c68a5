package habemus.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ThrottledLogTest {

    private final AtomicLong clock = new AtomicLong();
    private final ThrottledLog log = new ThrottledLog(LoggerFactory.getLogger(ThrottledLogTest.class), clock::get);

    @Test
    void logs_one_line_per_second_and_address() throws Exception {
        var one = InetAddress.getByName("10.0.0.1");
        assertThat(log.isDue(one)).isTrue();
        assertThat(log.isDue(one)).isFalse();
        assertThat(log.isDue(InetAddress.getByName("10.0.0.2"))).isTrue();
        clock.set(TimeUnit.MILLISECONDS.toNanos(999));
        assertThat(log.isDue(one)).isFalse();
        clock.set(TimeUnit.SECONDS.toNanos(1));
        assertThat(log.isDue(one)).isTrue();
    }
}

package habemus.course.servers.load;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.servers.ServerCapacity;
import habemus.course.servers.ServerForm;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class LockServerProcessTest {

    @Test
    void a_server_in_its_own_process_serves_and_reports() {
        var settings = new ServerSettings(
                ServerForm.STAGED, Duration.ofNanos(1_000), Duration.ofMillis(1), new ServerCapacity(2, 10, 100));
        try (var server = LockServerProcess.start(settings)) {
            assertThat(RequestProbe.isAnswered(server.port(), 30_000)).isTrue();
            assertThat(server.statistics().queues()).containsOnlyKeys("parse", "work", "reply");
            assertThat(server.memory().heapBytes()).isPositive();
        }
    }

    @Test
    void settings_survive_the_command_line() {
        var settings = new ServerSettings(
                ServerForm.EVENT_LOOP, Duration.ofNanos(50_000), Duration.ofMillis(5), new ServerCapacity(3, 4, 5));
        assertThat(ServerSettings.parse(settings.toArguments())).isEqualTo(settings);
    }
}

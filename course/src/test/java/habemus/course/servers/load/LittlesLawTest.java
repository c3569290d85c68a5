package habemus.course.servers.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LittlesLawTest {

    @Test
    void arrivals_times_stay_are_in_the_system() {
        assertThat(LittlesLaw.inSystem(400, 0.020)).isEqualTo(8);
    }

    @Test
    void a_pool_needs_more_threads_than_are_busy_on_average() {
        assertThat(LittlesLaw.fewestThreads(400, Duration.ofMillis(20))).isEqualTo(9);
        assertThat(LittlesLaw.fewestThreads(410, Duration.ofMillis(20))).isEqualTo(9);
        assertThat(LittlesLaw.fewestThreads(1, Duration.ofMillis(20))).isEqualTo(1);
    }

    @Test
    void busy_threads_serve_one_request_in_each_service_time() {
        assertThat(LittlesLaw.mostPerSecond(16, Duration.ofMillis(20))).isEqualTo(800);
    }
}

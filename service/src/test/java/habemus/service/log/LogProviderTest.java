package habemus.service.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogProviderTest {

    @Test
    void an_unknown_engine_is_refused_with_what_is_on_the_class_path() {
        assertThatThrownBy(() -> LogProvider.of(new EngineConfig.Engine("mysql:host", Optional.empty())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown log: 'mysql:host' (on the class path: none)")
                .hasMessageContaining("hint: ");
    }

    @Test
    void a_message_shows_no_password() {
        assertThat(new EngineConfig.Engine("jdbc:postgresql://h/app?user=a&password=s3cret", Optional.empty()))
                .hasToString("jdbc:postgresql://h/app?user=a&password=…");
        assertThat(new EngineConfig.Engine("etcd:https://a:s3cret@h:2379", Optional.empty()))
                .hasToString("etcd:https://…@h:2379");
    }
}

package habemus.log.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdAddressTest {

    @TempDir
    private Path folder;

    private Path file(String name, String content) throws Exception {
        return Files.writeString(folder.resolve(name), content);
    }

    @Test
    void endpoints_are_separated_by_commas() {
        var address = EtcdAddress.parse("etcd:10.0.0.1:2379, //etcd2:2379", Map.of());
        assertThat(address.endpoints()).containsExactly("10.0.0.1:2379", "etcd2:2379");
        assertThat(address.root()).isEqualTo("/habemus/");
        assertThat(address.tls()).isEmpty();
        assertThat(address.user()).isEmpty();
        assertThat(address.compactsHistory()).isFalse();
    }

    @Test
    void what_is_not_given_is_taken_from_the_variables_of_etcdctl() throws Exception {
        var authority = file("ca.pem", "");
        var environment = Map.of("ETCDCTL_CACERT", authority.toString(), "ETCDCTL_USER", "app:a:b");
        var address = EtcdAddress.parse("etcd:h:1?prefix=/locks/&compact=on", environment);
        assertThat(address.tls().orElseThrow().authority()).isEqualTo(authority);
        assertThat(address.user()).contains(new EtcdAddress.User("app", "a:b"));
        assertThat(address.root()).isEqualTo("/locks/");
        assertThat(address.compactsHistory()).isTrue();
    }

    @Test
    void what_is_given_goes_before_the_variables() throws Exception {
        var password = file("password", "secret\n");
        var address =
                EtcdAddress.parse("etcd:h:1?user=ops&password-file=" + password, Map.of("ETCDCTL_USER", "app:other"));
        assertThat(address.user()).contains(new EtcdAddress.User("ops", "secret"));
        assertThat(address.toString()).doesNotContain("secret");
    }

    @Test
    void bad_specifications_are_refused_with_a_hint() throws Exception {
        var certificate = file("node.pem", "");
        for (var spec : new String[] {
            "etcd:h:1?colour=red",
            "etcd:h:1?compact",
            "etcd:h:1?compact=yes",
            "etcd:h:1?prefix=habemus",
            "etcd:h:1?user=app",
            "etcd:h:1?cert=" + certificate,
            "etcd:h:1?cacert=/missing.pem",
        }) {
            assertThatThrownBy(() -> EtcdAddress.parse(spec, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\nhint: ");
        }
        for (var spec : new String[] {"etcd:", "etcd:h", "etcd:h:1,", "etcd:h:99999"}) {
            assertThatThrownBy(() -> EtcdAddress.parse(spec, Map.of()))
                    .hasMessageContaining("invalid address")
                    .hasMessageContaining("\nhint: ");
        }
    }
}

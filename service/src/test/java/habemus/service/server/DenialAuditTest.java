package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Command;
import org.junit.jupiter.api.Test;

class DenialAuditTest {

    private final DenialAudit audit = new DenialAudit();

    @Test
    void equal_denials_of_one_host_are_counted() {
        assertThat(audit.add("billing", "10.0.0.7:4711", "acquire lock a")).isTrue();
        assertThat(audit.add("billing", "10.0.0.7:4712", "acquire lock a")).isFalse();
        audit.add("billing", "10.0.0.7:4713", "acquire lock b");
        assertThat(audit.drain())
                .containsExactly(
                        new Command.RecordDenial("billing", "10.0.0.7", "acquire lock a", 2),
                        new Command.RecordDenial("billing", "10.0.0.7", "acquire lock b", 1));
        assertThat(audit.drain()).isEmpty();
        assertThat(audit.add("billing", "10.0.0.7:4711", "acquire lock a")).isTrue();
    }

    @Test
    void a_flood_of_different_denials_becomes_eleven_commands() {
        for (int i = 0; i < 10_000; i++) {
            audit.add("client " + i, "10.0.0.7", "connect");
        }
        assertThat(audit.drain())
                .hasSize(11)
                .endsWith(new Command.RecordDenial("several clients", "several addresses", "several requests", 9_990));
    }

    @Test
    void the_text_of_an_attacker_is_shortened() {
        audit.add("x".repeat(5_000), "y".repeat(5_000), "z".repeat(5_000));
        var denial = (Command.RecordDenial) audit.drain().getFirst();
        assertThat(denial.client() + denial.address() + denial.request()).hasSize(600);
    }
}

package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Configuration;
import habemus.protocol.NodeSet;
import habemus.service.transport.Member;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberDirectoryTest {

    private final List<Member> listed = Member.parse("n1=127.0.0.1:7001,n2=127.0.0.1:7002,n3=127.0.0.1:7003");
    private final MemberDirectory directory =
            new MemberDirectory(listed.getFirst().node(), listed);

    private static Configuration voters(List<Member> members) {
        return new Configuration(NodeSet.of(members.stream().map(Member::node).toList()), NodeSet.NONE);
    }

    @Test
    void the_members_are_the_listed_ones_until_the_log_names_them() {
        assertThat(directory.members()).isEqualTo(listed);
        directory.update(new Configuration(NodeSet.NONE, NodeSet.NONE));
        assertThat(directory.members()).isEqualTo(listed);
    }

    @Test
    void the_members_are_the_voters_of_the_newest_configuration() {
        assertThat(directory.update(voters(listed.subList(0, 2)))).isTrue();
        assertThat(directory.members()).isEqualTo(listed.subList(0, 2));
    }

    @Test
    void only_a_new_configuration_or_address_is_a_change() {
        directory.update(voters(listed));
        assertThat(directory.update(voters(listed))).isFalse();
    }
}

-- The function of the post, corrected in one point: the stored stamp is the time of
-- the call and not of its transaction's start, so a wait for the row's lock is not
-- credited again. Both readings of the clock come after the wait, in the same row
-- change; they are microseconds apart.
create table rate_limits (
  key    text primary key,
  tokens bigint not null,
  stamp  timestamptz not null
);

create function take_token(k text, r int default 2, w int default 60) returns bigint language plpgsql as $$
declare
  remaining bigint;
begin
  update rate_limits b set
    tokens = greatest(-1, least(r * w, b.tokens - 1 + r * {{.Elapsed}})),
    stamp = clock_timestamp()
  where b.key = k returning b.tokens into remaining;
  if not found then
    insert into rate_limits values (k, r * w - 1, clock_timestamp()) returning tokens into remaining;
  end if;
  return remaining;
end $$;

/** The most common leaked passwords of twelve characters or more, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
    000000000000 098765432100 0987654321098 111111111111 111222333444 112233445566 121212121212 123123123123
    123321123321 123456123456 123456789012 1234567890123 12345678901234 1234567890ab 123456789123 1234567891234
    123456789abc 1234abcd5678 1234qwer5678 1234qwerasdf 12qwaszx12qwaszx 147258369147 147852369147 159753159753
    1a2b3c4d5e6f 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 222222222222 666666666666
    888888888888 987654321012 999999999999 a123456789012 a1b2c3d4e5f6 aa1234567890 abc123456789 abc123abc123
    abcd12345678 abcdef123456 abcdefg12345 abcdefgh1234 abcdefghijkl admin1234567 admin12345678 admin123456789
    admin@123456 admin@1234567 admin@12345678 adminadminadmin administrator administrator1 administrator123
    allahuakbar1 arsenal12345 asd123asd123 asdasdasdasd asdfghjkl123 asdfghjkl1234 asdfghjklqwe bangladesh12
    bangladesh123 bangladesh71 barcelona123 barcelona1234 baseball1234 basketball12 basketball123 batman123456
    bismillah123 bismillah786 blink182blink buster123456 changeme!1234 changeme1234 changeme12345 changemechangeme
    changethispassword charlie12345 chelsea12345 company12345 computer1234 computer12345 correcthorsebatterystaple
    corvette1234 december2025 december2026 default12345 defaultpassword diamond12345 dragon123456 electricity1
    electricity123 facebook1234 facebook12345 ferrari12345 football1234 football12345 freedom12345 fuckyou12345
    fuckyou123456 generator123 generator1234 godisgreat123 goodmorning1 google123456 guestguestguest happy1234567
    harley123456 hello1234567 hello12345678 hellohello12 helloworld12 helloworld123 helloworld1234 hockey123456
    hunter123456 iloveyou1234 iloveyou12345 iloveyou123456 iloveyoubaby iloveyouforever iloveyousomuch india1234567
    instagram123 internet1234 jennifer1234 jesus12345678 jesuschrist1 jordan123456 juventus1234 killer123456
    laravel12345 letmein12345 letmein123456 letmeinletmein linkedin1234 liverpool123 liverpool1234 lovelovelove
    lovely123456 manchester12 manchester123 manchesterunited master123456 mercedes1234 michael12345 microsoft123
    monkey123456 motherfucker motherfucker1 mustang12345 mypassword123 mypassword1234 mysql1234567 newpassword1
    newpassword123 nothing12345 november2025 november2026 october2025! opensesame12 opensesame123 oracle123456
    p@ssw0rd1234 p@ssword1234 pakistan1234 pakistan12345 pakistan1947 passw0rd1234 password!123 password123!
    password1234 password1234! password12345 password123456 password2024 password2025 password2026 passwordpassword
    passwort1234 pokemon12345 porsche12345 postgres1234 postgrespostgres powercompany powercompany1 princess1234
    princess12345 q1w2e3r4t5y6 q1w2e3r4t5y6u7 qazwsxedc123 qazwsxedcrfv qwe123asd456 qwe123qwe123 qweasd123456
    qweasdzxc123 qweasdzxc1234 qweqweqweqwe qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyqwerty
    qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiopas qwertyuiopasdf ranger123456 raspberry123 realmadrid12
    realmadrid123 root12345678 rootrootroot samsung12345 secret123456 secretsecret september2024 september2025
    september2026 shadow123456 soccer123456 solarpanel123 solarpanels1 solarpower123 spiderman123 spiderman1234
    starwars1234 starwars12345 summer202425 summer2025!! sunshine1234 sunshine12345 superadmin123 superadministrator
    superman1234 superman12345 system123456 temporary123 temppassword temppassword1 test12345678 test123456789
    testpassword testpassword1 testtesttest thisisapassword thisismypassword toor12345678 trustno11234 trustnoone12
    ubuntu123456 unknown12345 voltdesk1234 voltdesk12345 voltdeskvoltdesk welcome1234! welcome12345 welcome123456
    welcome@1234 welcometomyworld whatever1234 windows12345 winter2025!! yamaha123456 yourpassword zaq12wsxcde3
    zaq1xsw2cde3 zxc123zxc123 zxcvbnm12345 zxcvbnm123456
    correct-horse-battery-staple
  `
    .trim()
    .split(/\s+/),
);
